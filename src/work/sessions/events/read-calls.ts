import { isAbsolute } from "node:path";
import { recordedPath } from "../../machine/recorded-path.ts";
import { capped, shortened } from "../../../core/text/shorten.ts";
import { asText, own, textOf } from "../../../core/text/untrusted.ts";
import { folderOf } from "../../../core/text/without-folder.ts";
import { checkIn } from "./covers.ts";
import { checkResult, type FinishedCommand } from "./checks.ts";
import type { CheckResult, ToolCall } from "./session-event.ts";
import type { HookEvent } from "./hook-event.ts";
import { backgroundId, isRefused, succeeded, outputOf } from "./tool-response.ts";

/** A call as the client sends it. */
export interface RawCall {
  readonly tool: string;
  readonly id: string;
  readonly input: unknown;
  readonly response: unknown;
  /** The failure, if the event itself is one. */
  readonly error?: string | undefined;
  /** Whether it is one of a batch. */
  readonly isBatched?: boolean | undefined;
}

/** More calls in one batch than any client makes. */
const MOST_CALLS = 200;
const MOST_FILES = 200;
const LONGEST_COMMAND = 2000;
const LONGEST_PATH = 1000;
/** Shorter output of a command that went well is not kept. */
const LARGE_OUTPUT = 4000;
const LONGEST_OUTPUT = 8000;
const MOST_JUDGED = 16_000;

/** The tool calls of an event that were run: one, or those of a whole batch. */
export function rawCalls({ fields }: HookEvent): RawCall[] {
  const isBatched = Array.isArray(fields["tool_calls"]);
  const calls = isBatched ? (fields["tool_calls"] as unknown[]) : [fields];
  return calls.slice(0, MOST_CALLS).flatMap((call, index) => {
    const tool = textOf(call, "tool_name");
    if (tool === undefined || isRefused(own(call, "tool_response"))) return [];
    const id = textOf(call, "tool_use_id") ?? `${textOf(fields, "timestamp", "turn_id") ?? ""}#${index}`;
    const [input, response] = [own(call, "tool_input"), own(call, "tool_response")];
    const error = textOf(call, "error");
    return [{ tool: tool.slice(0, 200), id: id.slice(0, 200), input, response, error, isBatched }];
  });
}

/** What a call changed, ran and printed. Undefined if it only read something. */
export function readCall(call: RawCall, root: string): ToolCall | undefined {
  const ran = ranCommand(call, root);
  const files = filesOf(call).map((path) => withinRoot(path, root));
  if (ran === undefined && files.length === 0) return undefined;
  const { id, tool } = call;
  const { command, ok = succeeded(call), check, output = "" } = ran ?? {};
  // Output is kept if something failed, or if there is much of it.
  const isKept = output !== "" && (ok === false || check?.ok === false || output.length >= LARGE_OUTPUT);
  const printed = isKept ? capped(output, LONGEST_OUTPUT) : undefined;
  return { id, tool, ok, files, command, check, output: printed, background: backgroundId(call) };
}

interface RanCommand extends FinishedCommand {
  readonly check: CheckResult | undefined;
}

/** The command that a call ran, how it ended, and what it checked. */
export function ranCommand(call: RawCall, root: string): RanCommand | undefined {
  const command = commandOf(call);
  if (command === undefined) return undefined;
  const [ok, output] = [succeeded(call), outputOf(call)];
  const line = shortened(command, LONGEST_COMMAND);
  const check = checkResult({ command: line, ok, output: shortened(output, MOST_JUDGED) });
  const folder = folderBelow(folderOf(line), root);
  const named = check && folder ? { ...check, check: checkIn(folder, check.check) } : check;
  return { command: capped(command, LONGEST_COMMAND), ok, check: named, output };
}

/** A folder other than the project's own. */
function folderBelow(folder: string | undefined, root: string): string | undefined {
  const name = folder?.replace(/(?<=.)\/+$/, "") ?? root;
  return name === root || name === "." ? undefined : withinRoot(name, root);
}

const SHELLS = /^(Bash|bash|PowerShell|powershell|Shell|shell|local_shell|exec_command|run_shell_command)$/;

/** The line that a call gives to a shell. */
export function commandOf({ tool, input }: Pick<RawCall, "tool" | "input">): string | undefined {
  if (!SHELLS.test(tool)) return undefined;
  const command = own(input, "command") ?? own(input, "cmd");
  if (!Array.isArray(command)) return asText(command);
  const words = command.flatMap((part) => asText(part) ?? []);
  return words.length === 3 && /^-l?c$/.test(words[1] as string) ? words[2] : words.join(" ");
}

/** The tools of all clients that write a file. */
const WRITERS = /^(Edit|Write|MultiEdit|NotebookEdit|write_file|replace|edit|create)$/;

/** The file that a call is about, as the client names it. */
export function pathOf(input: unknown): string | undefined {
  return textOf(input, "file_path", "notebook_path", "absolute_path", "path", "filePath");
}

/** The patch that a call applies. */
export function patchOf(input: unknown): string {
  return textOf(input, "command", "input", "patch") ?? asText(input) ?? "";
}

/** The files that a call changes, as the client names them. */
function filesOf({ tool, input }: Pick<RawCall, "tool" | "input">): string[] {
  if (WRITERS.test(tool)) return [pathOf(input) ?? []].flat();
  if (tool !== "apply_patch") return [];
  const names = patchOf(input).matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (?<path>.+)$/gm);
  return [...names].slice(0, MOST_FILES).map((match) => (match.groups?.["path"] ?? "").trim());
}

/** A path relative to the project; one outside it stays absolute. */
export function withinRoot(path: string, root: string): string {
  const short = path.slice(0, LONGEST_PATH);
  return isAbsolute(short) ? recordedPath(root, short) || short : short.replace(/^\.\//, "");
}

/** Whether any call may have changed the client's own task list. */
export function isAboutTasks(calls: readonly RawCall[]): boolean {
  return calls.some(({ tool }) =>
    /^(Task(Create|Update|Stop)|TodoWrite|update_plan|write_todos)$/.test(tool),
  );
}
