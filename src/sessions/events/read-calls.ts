import { isAbsolute, relative, sep } from "node:path";
import { checkResult } from "./checks.ts";
import { asText, own, textOf } from "../../text/untrusted.ts";
import type { Call } from "./facts.ts";
import type { HookEvent } from "./hook-event.ts";
import { capped, shortened } from "../../text/shorten.ts";
import { outcomeOf, outputOf } from "./tool-response.ts";

/** A call as the client sends it. */
export interface RawCall {
  readonly tool: string;
  readonly id: string;
  readonly input: unknown;
  readonly response: unknown;
  /** The failure, where the event itself is one. */
  readonly error?: string | undefined;
}

/** More calls in one batch than any client makes. */
const MOST_CALLS = 200;
const MOST_FILES = 200;
const LONGEST_COMMAND = 2000;
const LONGEST_PATH = 1000;
/** Nobody misses the twenty lines of a command that went well, and searching them for secrets takes time. */
const LARGE_OUTPUT = 4000;
const LONGEST_OUTPUT = 8000;
const MOST_JUDGED = 16_000;

/** The tool calls of an event: one, or those of a whole batch. */
export function rawCalls({ fields }: HookEvent): RawCall[] {
  const calls = Array.isArray(fields["tool_calls"]) ? (fields["tool_calls"] as unknown[]) : [fields];
  return calls.slice(0, MOST_CALLS).flatMap((call, index) => {
    const tool = textOf(call, "tool_name");
    if (tool === undefined) return [];
    const id = (
      textOf(call, "tool_use_id") ?? `${textOf(fields, "timestamp", "turn_id") ?? ""}#${index}`
    ).slice(0, 200);
    const error = textOf(call, "error");
    return [
      {
        tool: tool.slice(0, 200),
        id,
        input: own(call, "tool_input"),
        response: own(call, "tool_response"),
        error,
      },
    ];
  });
}

/** What is worth keeping of a call: what it changed, what it ran and what came out. Undefined for mere looking. */
export function readCall(call: RawCall, root: string): Call | undefined {
  const command = commandOf(call);
  const files = filesOf(call).map((path) => withinRoot(path, root));
  if (command === undefined && files.length === 0) return undefined;
  const ok = outcomeOf(call);
  const background = textOf(call.response, "backgroundTaskId");
  return {
    id: call.id,
    tool: call.tool,
    ok,
    files,
    ...(command === undefined ? {} : ran(command, ok, outputOf(call))),
    ...(background === undefined ? {} : { background }),
  };
}

/** A command with its result. What came out is kept where it tells something: of a failure, or where it is much. */
function ran(
  command: string,
  ok: boolean | null,
  output: string,
): Pick<Call, "command" | "check" | "output"> {
  const check = checkResult({
    command: shortened(command, LONGEST_COMMAND),
    ok,
    output: shortened(output, MOST_JUDGED),
  });
  const isTelling = ok === false || check?.ok === false || output.length >= LARGE_OUTPUT;
  return {
    command: capped(command, LONGEST_COMMAND),
    ...(check === undefined ? {} : { check }),
    ...(isTelling && output !== "" ? { output: capped(output, LONGEST_OUTPUT) } : {}),
  };
}

const SHELLS = /^(Bash|PowerShell|shell|local_shell|exec_command|run_shell_command)$/;

function commandOf({ tool, input }: RawCall): string | undefined {
  if (!SHELLS.test(tool)) return undefined;
  const command = own(input, "command") ?? own(input, "cmd");
  return Array.isArray(command) ? command.flatMap((part) => asText(part) ?? []).join(" ") : asText(command);
}

/** The tools that write, of all clients. */
const WRITERS = /^(Edit|Write|MultiEdit|NotebookEdit|write_file|replace|edit)$/;

function filesOf({ tool, input }: RawCall): string[] {
  if (WRITERS.test(tool))
    return [textOf(input, "file_path", "notebook_path", "path", "absolute_path")].flatMap(
      (path) => path ?? [],
    );
  if (tool !== "apply_patch") return [];
  const patch = textOf(input, "command", "input", "patch") ?? asText(input) ?? "";
  const names = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (?<path>.+)$/gm);
  return [...names].slice(0, MOST_FILES).map((match) => (match.groups?.["path"] ?? "").trim());
}

/** As people name a file of their project; one outside of it by its whole path. */
function withinRoot(path: string, root: string): string {
  const short = path.slice(0, LONGEST_PATH);
  if (!isAbsolute(short)) return short.replace(/^\.\//, "");
  const inside = relative(root, short);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? short : inside.replaceAll(sep, "/");
}

/** Whether any call concerns the client's own list of tasks. */
export function isAboutTasks(calls: readonly RawCall[]): boolean {
  return calls.some(({ tool }) =>
    /^(Task(Create|Update|Stop)|TodoWrite|update_plan|write_todos)$/.test(tool),
  );
}
