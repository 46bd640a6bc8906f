import { capped } from "../../../core/text/shorten.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { patchOf, pathOf, type RawCall, withinRoot } from "../events/read-calls.ts";
import type { EditEntry } from "../events/transcript-entry.ts";
import { declarationAround, tellingLines } from "./declarations.ts";
import { lineDigests } from "./written-lines.ts";

const LONGEST_CHANGE = 3000;
const MOST_FILES = 50;
const MOST_LINES = 20_000;
const MOST_DIGESTS = 2000;

/** What a call changed in which file, as far as its input says. */
export function editsOf({ tool, input, response }: RawCall, root: string): EditEntry[] | undefined {
  if (tool === "apply_patch") return ofPatch(patchOf(input), root);
  const path = pathOf(input);
  if (path === undefined) return undefined;
  const within = withinRoot(path, root);
  const content = rawText(input, "content", "new_source", "file_text");
  if (/^(?:Write|write|write_file|create|NotebookEdit)$/.test(tool) && content !== undefined) {
    const before = rawText(response, "originalFile");
    const isNew = textOf(response, "type") === "create" || (before === undefined && tool !== "NotebookEdit");
    return [edit(within, isNew ? "created" : "changed", before ?? "", content)];
  }
  const replaced = [input, ...asList(own(input, "edits"))].flatMap((each) => {
    const old = rawText(each, "old_string", "oldString", "old_str");
    const now = rawText(each, "new_string", "newString", "new_str");
    return now === undefined ? [] : [{ old: old ?? "", now }];
  });
  const file = rawText(response, "originalFile") ?? "";
  return replaced.length === 0
    ? undefined
    : replaced.map(({ old, now }) => ({ ...edit(within, "changed", old, now), inside: around(file, old) }));
}

function around(file: string, old: string): string | undefined {
  const place = old === "" ? -1 : file.indexOf(old);
  return place < 0 ? undefined : declarationAround(file, place);
}

/** Unlike `textOf`, blanks at the ends count. */
function rawText(value: unknown, ...names: readonly string[]): string | undefined {
  return names.map((name) => own(value, name)).find((text) => typeof text === "string");
}

/** Lines that are in one and not in the other: no alignment, because only what is new or gone is told. */
function edit(path: string, change: EditEntry["change"], before: string, after: string): EditEntry {
  const [old, now] = [before, after].map((text) => text.split("\n").slice(0, MOST_LINES));
  return entry(path, change, without(old!, now!), without(now!, old!));
}

function entry(path: string, change: EditEntry["change"], gone: string[], came: string[]): EditEntry {
  const told = (lines: readonly string[]) =>
    capped(withoutKeys(tellingLines(path, lines)).join("\n"), LONGEST_CHANGE);
  const counts = [came.length, gone.length] as const;
  return {
    path,
    change,
    removed: told(gone),
    added: told(came),
    counts,
    written: lineDigests(came.slice(0, MOST_DIGESTS)),
  };
}

/** A line of a key or a certificate, also as a piece of code; and what may be the last one, which is shorter. */
const ENCODED = /^["'`]?[A-Za-z0-9+/]{40,}={0,2}(?:\\n)?["'`]? ?[+,;\\]?$/;
const LAST_ENCODED = /^["'`]?[A-Za-z0-9+/]+={0,2}(?:\\n)?["'`]? ?[+,;\\]?$/;

/** Secrets are found by what surrounds them, and of a key that was replaced the first and the last line did not change. */
function withoutKeys(lines: readonly string[]): string[] {
  const isEncoded = (line = "", pattern = ENCODED) => pattern.test(line.trim());
  return lines.filter(
    (line, index) => !isEncoded(line) && !(isEncoded(lines[index - 1]) && isEncoded(line, LAST_ENCODED)),
  );
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}

/** A patch as `apply_patch` takes it: `*** Update File: path`, then lines with `+` and `-`. */
function ofPatch(patch: string, root: string): EditEntry[] {
  const parts = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m).slice(1, MOST_FILES + 1);
  return parts.map((part) => {
    const [head = "", ...lines] = part.split("\n").slice(0, MOST_LINES);
    const [, verb = "Update", name = "?"] = /^(\w+) File: (.+)$/.exec(head) ?? [];
    const marked = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
    const change = verb === "Add" ? "created" : verb === "Delete" ? "deleted" : "changed";
    return entry(withinRoot(name.trim(), root), change, marked("-"), marked("+"));
  });
}
