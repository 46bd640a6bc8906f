import { isRecord } from "../../text/untrusted.ts";
import { didYouMean, Problems, refusedFor } from "../definition/problems.ts";
import { readYaml } from "../definition/read-yaml.ts";
import {
  checkName,
  MILESTONES,
  PHASES,
  progressFile,
  STATUSES,
  type Milestone,
  type AgentProgress,
  type ProgressNote,
} from "./progress.ts";

const NOTE = /^\s*[-*]\s+\[(?<time>(?:[01]?\d|2[0-3]):[0-5]\d)\]\s+(?<text>.*\S)\s*$/;
const MILESTONE = new RegExp(`^(?<text>.*) \\((?<milestone>${MILESTONES.join("|")})\\)$`);

/**
 * Reads a progress file that an agent wrote by hand. Throws `usage` with line and remedy when anything is
 * malformed: a guess could become an agent's wrong next action. Notes are dated by the day of `updated`.
 */
export function parseProgress(
  text: string,
  file: string,
  known: readonly ProgressNote[] = [],
): AgentProgress {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const end = lines.indexOf("---", 1);
  const problems = new Problems(file, () => ({ line: 1, column: 1 }));
  if (lines[0] !== "---" || end < 0) {
    problems.add(
      [],
      "There is no frontmatter.",
      'Begin the file with a line "---", the fields, and another line "---"',
    );
    throw refusedFor(problems.all);
  }
  // An empty line in place of the opening dashes keeps the line numbers right.
  const source = readYaml(["", ...lines.slice(1, end)].join("\n"), file);
  const fields = checkFields(source.value, source.problems, file);
  source.problems.throwIfAny();
  const notes = readNotes(lines, end, fields["updated"]!, { problems, known });
  problems.throwIfAny();
  const { team, ...rest } = fields;
  return { ...(rest as unknown as AgentProgress), ...(team !== undefined && { team }), notes };
}

const FIELDS = ["feature", "team", "agent", "phase", "status", "last_action", "updated"] as const;
const WORDS: Record<string, readonly string[]> = { phase: PHASES, status: STATUSES };

function checkFields(value: unknown, problems: Problems, file: string): Record<string, string> {
  const fields: Record<string, string> = {};
  if (!isRecord(value)) {
    problems.add([], "The frontmatter is empty.", `Its fields are ${FIELDS.join(", ")}`);
    return fields;
  }
  for (const field of FIELDS) {
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

function readNotes(
  lines: readonly string[],
  end: number,
  updated: string,
  { problems, known }: { readonly problems: Problems; readonly known: readonly ProgressNote[] },
): ProgressNote[] {
  const day = new Date(updated).toISOString().slice(0, 10);
  const unused = [...known];
  const notes: ProgressNote[] = [];
  for (const [index, line] of lines.entries()) {
    if (index <= end || !/^\s*[-*]\s/.test(line)) continue;
    const groups = NOTE.exec(line)?.groups;
    if (groups === undefined) {
      const remedy = "Write it like this: - [10:30] What was done";
      problems.add(["notes"], "This note has no time.", remedy, { line: index + 1, column: 1 });
      continue;
    }
    const { text, milestone } = split(groups["text"]!);
    const time = groups["time"]!.padStart(5, "0");
    // A known note keeps its full date; the file only has the time.
    const same = unused.findIndex(
      (note) => note.text.replaceAll(/\s+/g, " ").trim() === text && note.at.slice(11, 16) === time,
    );
    notes.push(
      same >= 0
        ? unused.splice(same, 1)[0]!
        : { at: `${day}T${time}:00.000Z`, text, ...(milestone && { milestone }) },
    );
  }
  return notes;
}

function split(text: string): { text: string; milestone?: Milestone } {
  const groups = MILESTONE.exec(text)?.groups;
  return groups === undefined
    ? { text }
    : { text: groups["text"]!, milestone: groups["milestone"] as Milestone };
}
