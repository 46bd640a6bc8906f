import { type PlanStatus, statusBySign, statusByWord, withoutSigns } from "./plan-status.ts";

export interface PlanPhase {
  /** As the plan calls it, without signs and status: `Phase 5: Agent Bootstrapping`. */
  readonly name: string;
  /** Null when it is not a whole number, as in `Phase 2.1` or `Phase IV`. */
  readonly number: number | null;
  readonly status: PlanStatus;
}

/** Longer lines are cut. */
const MAX_LINE_CHARS = 1000;
const MAX_NAME_CHARS = 200;

/**
 * Finds the phases of an implementation plan: headings (or list items with a box) such as
 * `## Phase 5: Agent Bootstrapping (in progress)`. A phase's status is what its heading or a `Status:`
 * line below says; else its boxes decide: all ticked, some, or none. Code blocks are skipped, headings
 * below a phase belong to it. Takes linear time.
 */
export function parsePlan(text: string): PlanPhase[] {
  const lines = linesOutsideCode(text).map(parseLine);
  const level = levelOfPhases(lines);
  const drafts: PhaseDraft[] = [];
  let draft: PhaseDraft | undefined;
  for (const line of lines) {
    if (line.level !== undefined && line.level <= level) {
      draft = line.level === level && line.title ? { ...line.title, boxes: 0, ticked: 0 } : undefined;
      if (draft) drafts.push(draft);
    } else if (draft) {
      addLine(draft, line);
    }
  }
  return drafts.map(({ name, number, status, boxes, ticked }) => ({
    name,
    number,
    status: status ?? statusFromBoxes(boxes, ticked),
  }));
}

interface PhaseTitle {
  readonly name: string;
  readonly number: number | null;
  status: PlanStatus | undefined;
}

interface PhaseDraft extends PhaseTitle {
  boxes: number;
  ticked: number;
}

interface PlanLine {
  /** Of a heading: 1 to 6. List items that name a phase count as 7, so that any heading ends them. */
  readonly level?: number;
  readonly title?: PhaseTitle | undefined;
  readonly box?: boolean;
  readonly status?: PlanStatus | undefined;
}

function linesOutsideCode(text: string): string[] {
  let fence: string | undefined;
  return text.split("\n").filter((line) => {
    const mark = /^ {0,3}(?<mark>```|~~~)/.exec(line)?.groups?.["mark"];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (fence === mark) fence = undefined;
    return false;
  });
}

function parseLine(whole: string): PlanLine {
  const line = whole.slice(0, MAX_LINE_CHARS).trimEnd();
  const heading = /^ {0,3}(?<marks>#{1,6})[ \t]+(?<text>\S.*)$/.exec(line)?.groups;
  if (heading) return { level: heading["marks"]?.length ?? 1, title: parseTitle(heading["text"] ?? "") };
  const item = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?<box>\[[ xX]\])(?<text>.*)$/.exec(line)?.groups;
  if (item) {
    const title = /^\s/.test(line) ? undefined : parseTitle(`${item["box"]} ${item["text"]}`);
    return { box: item["box"] !== "[ ]", ...(title && { level: 7, title }) };
  }
  const status = /^[\s>*_-]*status[*_]*\s*:(?<status>.*)$/i.exec(line)?.groups?.["status"];
  return status === undefined ? {} : { status: statusBySign(status) ?? statusByWord(status) };
}

const TITLE =
  /^(?<word>phase|stage|milestone)(?: (?<number>\d{1,6}(?:\.\d{1,6})*[a-z]?|[ivx]{1,6})\b|(?=:))(?<rest>.*)$/i;
/** Only a separate part at the end is a status: "Phase 2: Done-list" and "Phase 3: Open" are names. */
const ENDINGS = [/ ?[([](?<said>[^()[\]]*)[)\]]$/, /(?<!^)(?: ?[:|–—]| -) ?(?<said>[^:|–—-]*)$/];

/** `✅ Phase 5: Agent Bootstrapping (in progress)`, in its parts; undefined if it is not a phase. */
function parseTitle(text: string): PhaseTitle | undefined {
  // Single spaces only: no expression below can backtrack over a long gap.
  const plain = withoutSigns(text.replace(/\s#+$/, "")).replaceAll(/\s+/g, " ");
  const { word, number, rest = "" } = TITLE.exec(plain)?.groups ?? {};
  if (word === undefined) return undefined;
  const ending = ENDINGS.map((pattern) => pattern.exec(rest)).find((match) => match !== null);
  const said = statusByWord(ending?.groups?.["said"] ?? "");
  const name = `${word}${number ? ` ${number}` : ""}${said ? rest.slice(0, ending?.index) : rest}`;
  return {
    name: name.slice(0, MAX_NAME_CHARS).trim(),
    number: /^\d+$/.test(number ?? "") ? Number(number) : null,
    status: statusBySign(text) ?? said,
  };
}

/** The highest level with several phases: a title like "Phase 8 plan" above them is not a phase. */
function levelOfPhases(lines: readonly PlanLine[]): number {
  const counts = new Map<number, number>();
  for (const { level, title } of lines) {
    if (level !== undefined && title) counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  const levels = [...counts.keys()].toSorted((a, b) => a - b);
  return levels.find((level) => (counts.get(level) ?? 0) > 1) ?? levels[0] ?? 0;
}

function addLine(draft: PhaseDraft, line: PlanLine): void {
  if (line.box !== undefined) {
    draft.boxes += 1;
    if (line.box) draft.ticked += 1;
  }
  draft.status ??= line.status;
}

function statusFromBoxes(boxes: number, ticked: number): PlanStatus {
  if (ticked === 0) return "pending";
  return ticked === boxes ? "completed" : "in_progress";
}
