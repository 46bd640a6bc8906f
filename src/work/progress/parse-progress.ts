import { isRecord } from "../../core/text/untrusted.ts";
import { didYouMean, Problems, refusedFor } from "../yaml/problems.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import {
  checkName,
  MILESTONES,
  PHASES,
  PROGRESS_FIELDS,
  progressFile,
  STATUSES,
  type Milestone,
  type AgentProgress,
  type ProgressNote,
} from "./progress.ts";

const NOTE = /^\s*[-*]\s+\[(?<time>(?:[01]?\d|2[0-3]):[0-5]\d)\]\s+(?<text>.*\S)\s*$/;
const MILESTONE = new RegExp(`^(?<words>.*) \\((?<milestone>${MILESTONES.join("|")})\\)$`);

/**
 * Reads a progress file that an agent wrote by hand. Throws `usage` with line and remedy when anything is
 * malformed: a guess could become an agent's wrong next action. Notes are dated by the day of `updated`.
 */
export function parseProgress(text: string, file: string): AgentProgress {
  const problems = new Problems(file, () => ({ line: 1, column: 1 }));
  const split = splitFrontmatter(text);
  if (split === undefined) {
    problems.add(
      [],
      "There is no frontmatter.",
      'Begin the file with a line "---", the fields, and another line "---"',
    );
    throw refusedFor(problems.all);
  }
  // An empty line in place of the opening dashes keeps the line numbers right.
  const source = readYaml(`\n${split.frontmatter}`, file);
  const fields = checkFields(source.value, source.problems, file);
  source.problems.throwIfAny();
  const notes = readNotes(split, fields["updated"]!, problems);
  problems.throwIfAny();
  const { team, ...rest } = fields;
  return { ...(rest as unknown as AgentProgress), ...(team !== undefined && { team }), notes };
}

const WORDS: Record<string, readonly string[]> = { phase: PHASES, status: STATUSES };

function checkFields(value: unknown, problems: Problems, file: string): Record<string, string> {
  const fields: Record<string, string> = {};
  if (!isRecord(value)) {
    problems.add([], "The frontmatter is empty.", `Its fields are ${PROGRESS_FIELDS.join(", ")}`);
    return fields;
  }
  for (const field of PROGRESS_FIELDS) {
    const found = value[field];
    if (typeof found === "string" && found.trim() !== "") fields[field] = found;
    else if (found !== undefined || field !== "team")
      problems.add([field], `"${field}" is missing or not a text.`, `Add it: ${field}: "…"`);
    const known = WORDS[field];
    if (known === undefined || typeof found !== "string" || known.includes(found)) continue;
    const remedy = didYouMean(found, known, `It is one of ${known.join(", ")}`);
    problems.add([field], `"${found}" is not a ${field}.`, remedy);
  }
  if (fields["updated"] !== undefined && Number.isNaN(Date.parse(fields["updated"]))) {
    problems.add(
      ["updated"],
      `"${fields["updated"]}" is not a time.`,
      'Write it like this: updated: "2026-02-14T10:30:00Z"',
    );
  }
  if (problems.all.length > 0) return fields;
  for (const field of ["feature", "agent"] as const) checkName(field, fields[field]!);
  const name = progressFile(fields as unknown as AgentProgress);
  if (file.split(/[\\/]/).at(-1) !== name)
    problems.add([], `This file says that it is "${name}".`, `Rename it, or correct feature and agent`);
  return fields;
}

interface SplitProgress {
  readonly frontmatter: string;
  readonly body: readonly string[];
}

/** The text between the lines of dashes, and the lines after them; undefined if a file does not begin that way. */
export function splitFrontmatter(text: string): SplitProgress | undefined {
  // Some editors begin a file with a mark of its encoding.
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const isDashes = (line = "") => line.trimEnd() === "---";
  const end = lines.findIndex((line, index) => index > 0 && isDashes(line));
  if (!isDashes(lines[0]) || end < 0) return undefined;
  return { frontmatter: lines.slice(1, end).join("\n"), body: lines.slice(end + 1) };
}

function readNotes(
  { frontmatter, body }: SplitProgress,
  updated: string,
  problems: Problems,
): ProgressNote[] {
  const day = new Date(updated).toISOString().slice(0, 10);
  const linesBefore = frontmatter.split("\n").length + 2;
  return body.flatMap((text, index) => {
    if (!/^\s*[-*]\s/.test(text)) return [];
    const note = readNote(text, day);
    if (note !== undefined) return [note];
    const remedy = "Write it like this: - [10:30] What was done";
    problems.add(["notes"], "This note has no time.", remedy, { line: linesBefore + index + 1, column: 1 });
    return [];
  });
}

/** The note on a line, dated by this day; undefined for any other line. */
export function readNote(line: string, day = "1970-01-01"): ProgressNote | undefined {
  const { time, text } = NOTE.exec(line)?.groups ?? {};
  if (time === undefined || text === undefined) return undefined;
  const { words = text, milestone } = MILESTONE.exec(text)?.groups ?? {};
  const mark = milestone === undefined ? undefined : { milestone: milestone as Milestone };
  return { at: `${day}T${time.padStart(5, "0")}:00.000Z`, text: words, ...mark };
}
