import type { Json, Path } from "../../../core/objects/json.ts";
import type { Change } from "../../../core/objects/diff.ts";
import { isShortened } from "../../../core/text/shorten.ts";
import { asList, asRecord, textOf } from "../../../core/text/untrusted.ts";
import { piecesOfLine, wordsIn } from "./line-pieces.ts";
import type { SearchPiece, SearchKind } from "./piece.ts";

/** A part of a state whose words are read together, and found again by its path. */
export interface Unit {
  readonly path: Path;
  /** Undefined where only something inside of it changed: then it is read. */
  readonly value: Json | undefined;
}

/** How deep the units of a field are; lists have their entries. */
const DEPTH: Readonly<Record<string, number>> = { activity: 3, run: 3, variables: 2 };

const KINDS: Readonly<Record<string, SearchKind>> = {
  goal: "prompt",
  next_action: "prompt",
  success_criteria: "prompt",
  instructions: "prompt",
  constraints: "decision",
  decisions: "decision",
  blockers: "decision",
  gotchas: "decision",
  tasks: "task",
  phase: "task",
  recent_outputs: "output",
  checks_failing: "output",
  commands: "command",
  files_touched: "file",
  subagents: "said",
  session: "said",
  run: "output",
};

/** What machines see, and what says something about another field. */
const SILENT = new Set([
  "workspace",
  "dependencies",
  "goal_by",
  "active_task_id",
  "imported_texts",
  "kind",
  "client",
  "source",
  "session_id",
  "tail",
]);

/** Everything in a whole state. */
export const unitsOf = (state: Json): Unit[] => inside([], state);

/** What a change brought. */
export function unitsOfChange(change: Change): Unit[] {
  if (change.kind === "removed" || change.kind === "moved") return [];
  const { path, to } = change;
  const [field = "", second] = path;
  const depth = DEPTH[field] ?? (typeof second === "number" ? 2 : 1);
  return path.length > depth ? [{ path: path.slice(0, depth), value: undefined }] : inside(path, to);
}

function inside(path: Path, value: Json): Unit[] {
  const [field] = path;
  const depth = field === undefined ? 1 : (DEPTH[field] ?? (Array.isArray(value) ? 2 : 1));
  if (path.length >= depth || typeof value !== "object" || value === null) return [{ path, value }];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, each]) => inside([...path, key], each));
}

/** The words of a unit: the same for the same value, so that a hit is found again by its path and number. */
export function piecesOfUnit([field = "", ...rest]: Path, value: Json): SearchPiece[] {
  if (field === "lines") return piecesOfLine(value);
  if (field === "activity") return ofActivity(String(rest[0]), value);
  if (SILENT.has(String(field))) return [];
  const text = field === "session" ? (textOf(value, "last_message", "title") ?? "") : wordsIn(value);
  const kind = KINDS[field] ?? "note";
  const file = kind === "file" ? text : undefined;
  const who = kind === "prompt" ? "person" : textOf(value, "by");
  return text.trim() === "" ? [] : [{ kind, text, file, who, at: textOf(value, "at") }];
}

function ofActivity(part: string, value: Json): SearchPiece[] {
  const at = textOf(value, "at");
  const record = asRecord(value) ?? {};
  if (part === "turns") {
    const asked = textOf(record, "asked");
    const said = asList(record["said"]).flatMap((text) =>
      typeof text === "string" ? [{ kind: "said", text, at } as const] : [],
    );
    return [
      // The whole of a long prompt is the goal or an instruction.
      ...(asked === undefined || isShortened(asked)
        ? []
        : [{ kind: "prompt", text: asked, at, who: "person" } as const]),
      ...said,
    ];
  }
  const text = wordsIn(value);
  if (text === "" || part === "names" || part === "read") return [];
  if (part === "edits" || part === "reads") return [{ kind: "file", text, file: textOf(record, "path"), at }];
  return [{ kind: part === "results" ? "output" : "note", text, at }];
}
