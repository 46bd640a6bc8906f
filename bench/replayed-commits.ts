import { relative } from "node:path";
import type { RecordedFile } from "./recorded.ts";

/** A commit as a session made it: the files as its tools had left them. */
export interface ReplayedCommit {
  readonly subject: string;
  /** When git had printed it. */
  readonly at: string;
  /** All files that the session had written by then, with their content. */
  readonly files: ReadonlyMap<string, string>;
}

interface Line {
  readonly cwd?: string;
  readonly timestamp?: string;
  readonly message?: { readonly content?: unknown };
}

interface Part {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

const COMMITTED = /^\[[\w./#-]+(?: \([\w -]+\))* [0-9a-f]{7,40}\] (?<subject>.*)$/gm;

/** The commits that a session's commands printed, with what its edits had written. What commands wrote is not known. */
export function replayCommits({ lines }: RecordedFile): ReplayedCommit[] {
  const files = new Map<string, string>();
  const calls = new Map<string, Part>();
  const commits: ReplayedCommit[] = [];
  for (const text of lines) {
    const { cwd = "/", timestamp = "", message } = JSON.parse(text) as Line;
    for (const part of (Array.isArray(message?.content) ? message.content : []) as Part[]) {
      if (part.type === "tool_use") calls.set(part.id ?? "", part);
      const call = part.type === "tool_result" ? calls.get(part.tool_use_id ?? "") : undefined;
      if (call === undefined || part.is_error === true) continue;
      apply(files, call, cwd);
      if (call.name !== "Bash") continue;
      for (const { groups } of JSON.stringify(part.content ?? "")
        .replaceAll(String.raw`\n`, "\n")
        .replaceAll('"', "")
        .matchAll(COMMITTED))
        commits.push({ subject: groups?.["subject"] ?? "", at: timestamp, files: new Map(files) });
    }
  }
  return commits;
}

function apply(files: Map<string, string>, { name, input = {} }: Part, cwd: string): void {
  const { file_path, content, old_string = "", new_string = "" } = input;
  const path = file_path === undefined ? ".." : relative(cwd, file_path);
  if (path.startsWith("..") || (name !== "Write" && name !== "Edit")) return;
  const before = files.get(path) ?? `${old_string}\n`;
  const after = before.includes(old_string)
    ? before.replace(old_string, () => new_string)
    : `${before}${new_string}\n`;
  files.set(path, name === "Write" ? (content ?? "") : after);
}
