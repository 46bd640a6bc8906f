import { isAbsolute } from "node:path";
import { recordedPath } from "../../machine/recorded-path.ts";
import { capped, shortened } from "../../../core/text/shorten.ts";
import { asText, own, textOf } from "../../../core/text/untrusted.ts";
import { folderOf } from "../../../core/text/without-folder.ts";
import { checkIn } from "./covers.ts";
import { checkResult } from "./checks.ts";
import type { CallOutcome, ToolStep } from "./transcript-entry.ts";
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
export function readCall(call: RawCall, root: string): ToolStep | undefined {
  const outcome = outcomeOf(call, root);
  const { command, ok } = outcome;
  const files = filesOf(call).map((path) => withinRoot(path, root));
  if (command === undefined && files.length === 0) return undefined;
  const printed = command === undefined ? "" : outputOf(call);
  // Output is kept if something failed, or if there is much of it.
  const isKept = printed !== "" && (ok === false || printed.length >= LARGE_OUTPUT);
  const output = isKept ? capped(printed, LONGEST_OUTPUT) : undefined;
  return { ...outcome, id: call.id, files, output, background: backgroundId(call) };
}

/** How a call ended, and which command it ran. A check's own result counts more than that of the whole command line. */
export function outcomeOf(call: RawCall, root: string): CallOutcome {
  const [{ tool }, command, ok] = [call, commandOf(call), succeeded(call)];
  if (command === undefined) return { tool, ok };
  const line = shortened(command, LONGEST_COMMAND);
  const found = checkResult({ command: line, ok, output: shortened(outputOf(call), MOST_JUDGED) });
  const folder = folderBelow(folderOf(line), root);
  const check = found && folder ? checkIn(folder, found.check) : found?.check;
  const hidden = found?.ok === false && ok === true ? { isHidden: true } : {};
  return { tool, ok: found?.ok ?? ok, command: capped(command, LONGEST_COMMAND), check, ...hidden };
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
