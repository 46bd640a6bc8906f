import { isMap, isScalar, parseDocument } from "yaml";
import { formatNote, formatProgress } from "./format-progress.ts";
import { parseProgress, readNote, splitFrontmatter } from "./parse-progress.ts";
import { PROGRESS_FIELDS, progressFile, type AgentProgress, type ProgressNote } from "./progress.ts";

const HEADING = /^#+\s+Progress Notes\s*$/i;

/**
 * The text of a valid progress file, brought to this state. Only the values and notes that differ change: comments,
 * fields of the agent's own and other text stay as they were written.
 */
export function editProgress(text: string, progress: AgentProgress): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const split = splitFrontmatter(text);
  if (split === undefined) return formatProgress(progress);
  const fields = editFields(split.frontmatter, progress);
  const edited = ["---", fields, "---", ...editNotes(split.body, progress.notes)].join("\n");
  // YAML can be written in ways that cannot be edited line by line.
  return isReadAs(edited, progress) ? edited.replaceAll("\n", lineEnd) : formatProgress(progress);
}

function isReadAs(text: string, progress: AgentProgress): boolean {
  try {
    return formatProgress(parseProgress(text, progressFile(progress))) === formatProgress(progress);
  } catch {
    return false;
  }
}

/** Puts each value that differs in the place of the old one; a field that is missing gets a line after the one before it. */
function editFields(source: string, progress: AgentProgress): string {
  const { contents } = parseDocument(source);
  const nodes = new Map(isMap(contents) ? contents.items.map(({ key, value }) => [String(key), value]) : []);
  const edits: { from: number; to: number; text: string }[] = [];
  let lineAfter = 0;
  for (const field of PROGRESS_FIELDS) {
    const node = nodes.get(field);
    const [from, to] = (isScalar(node) ? node.range : undefined) ?? [];
    const value = progress[field];
    if (from !== undefined && to !== undefined) {
      const isBlock = source[to - 1] === "\n";
      if (isScalar(node) && node.value !== value && value !== undefined)
        edits.push({ from, to, text: `${JSON.stringify(value)}${isBlock ? "\n" : ""}` });
      const end = source.indexOf("\n", isBlock ? to - 1 : to);
      lineAfter = end < 0 ? source.length : end + 1;
    } else if (value !== undefined) {
      const line = `${field}: ${JSON.stringify(value)}`;
      const isAtEnd = lineAfter === source.length && source !== "";
      edits.push({ from: lineAfter, to: lineAfter, text: isAtEnd ? `\n${line}` : `${line}\n` });
    }
  }
  // From the end, so that the places of the others stay right.
  return edits
    .toSorted((a, b) => a.from - b.from)
    .reduceRight((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), source);
}

interface PlacedLine {
  readonly text: string;
  /** Which note it is. */
  readonly note?: number;
}

/** Keeps the lines of notes that are known where they are, drops others, and adds each missing one after its predecessor. */
function editNotes(body: readonly string[], notes: readonly ProgressNote[]): string[] {
  const numbers = Map.groupBy(notes.keys(), (number) => formatNote(notes[number]!));
  const lines = body.flatMap((text): PlacedLine[] => {
    const found = readNote(text);
    if (found === undefined) return [{ text }];
    const note = numbers.get(formatNote(found))?.shift();
    return note === undefined ? [] : [{ text, note }];
  });
  for (const number of [...numbers.values()].flat().toSorted((a, b) => a - b))
    lines.splice(placeOf(number, lines), 0, { text: formatNote(notes[number]!), note: number });
  return lines.map(({ text }) => text);
}

/** The line where a note belongs: below the one before it with the lines indented under that, or first of all. */
function placeOf(number: number, lines: PlacedLine[]): number {
  const before = lines.findIndex(({ note }) => note === number - 1);
  if (before >= 0) {
    const isUnder = ({ text, note }: PlacedLine) => note === undefined && /^\s+\S/.test(text);
    const next = lines.findIndex((line, index) => index > before && !isUnder(line));
    return next < 0 ? lines.length : next;
  }
  const first = lines.findIndex(({ note }) => note !== undefined);
  if (first >= 0) return first;
  if (!lines.some(({ text }) => HEADING.test(text)))
    lines.push(...["", "## Progress Notes", "", ""].map((text) => ({ text })));
  const heading = lines.findIndex(({ text }) => HEADING.test(text));
  if (lines[heading + 1]?.text !== "") lines.splice(heading + 1, 0, { text: "" });
  return heading + 2;
}
