import { isAbsolute } from "node:path";
import { capped } from "../../../core/text/shorten.ts";
import { asList, asRecord, describe, own, textOf } from "../../../core/text/untrusted.ts";
import { commandOf, pathOf, outcomeOf, type RawCall, withinRoot } from "../events/read-calls.ts";
import { isRefused, outputOf } from "../events/tool-response.ts";
import { editsOf } from "./edits-of-call.ts";
import {
  LONGEST_PROMPT,
  type PromptEntry,
  type SaidEntry,
  type StepEntry,
  type TranscriptEntry,
} from "../events/transcript-entry.ts";
import { keyLines, mentioningLines, shownLines } from "./key-lines.ts";
import { repeatedNames } from "./mentions.ts";

/** Fields that say in a few words what a call is about. */
const ABOUT = "pattern query description url skill subject title id prompt plan".split(" ");
const LONGEST_WORDS = 160;

/** What a finished call tells: a step, and a person's words if it asked for them or was refused with some. */
export function entriesOfCall(call: RawCall, at: string, root: string): TranscriptEntry[] {
  const refusal = refusalOf(call, at, root);
  if (refusal !== undefined) return refusal;
  const answers = [...answersOf(call, at), ...approvalOf(call, at)];
  if (answers.length > 0) return answers;
  const step = stepOf(call, at, root);
  return [step, ...writingOf(call, step)];
}

/** The message of a commit, the text of a pull request, an answer to a review: as the words after an option, or as a document. */
const WRITING =
  /\b(?:git\b[^\n"']*? commit|gh)\b[^]*?\s(?:-\w*m|--message|--body|-[fF] body)[ =]*(?:"\$\(cat <<-?\s*["']?(?<end>\w+)["']?\n(?<document>[^]*?)\n\s*\k<end>\b|(?<quote>["'])(?<words>[^]*?)(?<!\\)\k<quote>)/;
/** What a client adds below it. */
const SIGNATURE = /^(?:Co-Authored-By: |🤖 ).*$/gim;
const HASH = /^\[[^\]]* ([0-9a-f]{7,40})\] /;
const MOST_SEARCHED = 20_000;
const LONGEST_WRITING = 3000;

/** What the agent wrote for people with a command: it says what was done, and why, in few words. */
function writingOf(call: RawCall, { ok, at, mentions = [] }: StepEntry): SaidEntry[] {
  const command = ok === false ? "" : (commandOf(call) ?? "");
  const { document, words = document } = WRITING.exec(command.slice(0, MOST_SEARCHED))?.groups ?? {};
  const said = words?.replaceAll(SIGNATURE, "").replaceAll("\\`", "`").trim();
  if (said === undefined || said === "") return [];
  const commit = mentions.flatMap((line) => HASH.exec(line)?.[1] ?? []).map((hash) => `${hash}: `);
  // The paragraphs of a commit are broken into lines.
  const text = `${commit.at(-1) ?? ""}${said.replaceAll(/(?<=.{50})\n {0,4}(?=[\w(`"])(?!\d+[.)])/g, " ")}`;
  return [{ kind: "said", at, text: capped(text, LONGEST_WRITING), isWritten: true }];
}

/** What a command commits elsewhere is none of this project's. */
const LAST_FOLDER = /^[^]*(?:\bcd|git -C) ["']?(?<folder>\/[^\s"';&)]+)/;

function stepOf(call: RawCall, at: string, root: string): StepEntry {
  const step = { kind: "step" as const, at, ...outcomeOf(call, root) };
  const printed = step.command === undefined && step.ok !== false ? [] : shownLines(outputOf(call));
  const folder = LAST_FOLDER.exec(step.command ?? "")?.groups?.["folder"] ?? "";
  const lines = step.ok === false ? keyLines(printed, step.command === undefined ? 2 : 6) : [];
  if (step.command !== undefined)
    return { ...step, lines, mentions: isAbsolute(withinRoot(folder, root)) ? [] : mentioningLines(printed) };
  const what = textOf(call.input, ...ABOUT);
  const about = { ...step, ...placeOf(call, root), what: what && capped(what, LONGEST_WORDS), lines };
  return step.ok === false ? about : { ...about, edits: editsOf(call, root), names: namesRead(call) };
}

/** Only of files and searches: what else tools answer is full of words that look like names. */
function namesRead({ tool, response }: RawCall): string[] | undefined {
  if (!/^(?:read|grep|search|view)/i.test(tool)) return undefined;
  const content = own(own(response, "file"), "content") ?? own(response, "content") ?? response;
  return typeof content === "string" ? repeatedNames(content) : undefined;
}

/** The file that a call is about, and the first line of it that it reads. */
function placeOf({ input }: RawCall, root: string): Pick<StepEntry, "path" | "line"> {
  const [path, offset] = [pathOf(input), own(input, "offset")];
  if (path === undefined) return {};
  return {
    path: withinRoot(path, root),
    line: typeof offset === "number" && offset > 1 ? offset : undefined,
  };
}

/** The tools of a client whose errors no one else words. */
const OWN_TOOLS =
  /^(?:Bash|Edit|Write|MultiEdit|NotebookEdit|Read|Glob|Grep|Task|Agent|Skill|TodoWrite|Task[A-Z]\w+|(?:Enter|Exit)PlanMode|AskUserQuestion)$/;

const REASON = /(?:the user said|with the following feedback):\s*(?<words>[^]+)$/;

/** A call that was not run. Words that came with the refusal are a prompt. */
function refusalOf(call: RawCall, at: string, root: string): PromptEntry[] | undefined {
  const said = call.error ?? (typeof call.response === "string" ? call.response : undefined);
  if (said === undefined || !isRefused(said)) return undefined;
  const words = REASON.exec(said)?.groups?.["words"]?.trim();
  if (words === undefined || words === "") return [];
  // A server, a page or a program may print the client's own words. The client's own tools begin an error with others.
  const isDoubtful = call.error === undefined || !OWN_TOOLS.test(call.tool);
  const refused =
    `refused: ${call.tool} ${commandOf(call) ?? placeOf(call, root).path ?? textOf(call.input, ...ABOUT) ?? ""}`.trim();
  return [
    { kind: "prompt", at, text: capped(words, LONGEST_PROMPT), answers: capped(refused, 300), isDoubtful },
  ];
}

/** The answers to questions that the agent asked through its client. */
function answersOf({ tool, input, response }: RawCall, at: string): PromptEntry[] {
  if (tool !== "AskUserQuestion") return [];
  // The client puts them into the call. A call that came with some is the model's word.
  const isDoubtful = own(input, "answers") !== undefined;
  const questions = asList(own(response, "questions"));
  return Object.entries(asRecord(own(response, "answers")) ?? {}).map(([question, answer]) => {
    const asked = questions.find((each) => textOf(each, "question") === question);
    const options = asList(own(asked, "options")).flatMap((option) => textOf(option, "label") ?? []);
    const choice = options.length === 0 ? "" : ` (of: ${options.join(" | ")})`;
    return {
      kind: "prompt" as const,
      at,
      text: capped(typeof answer === "string" ? answer : describe(answer), LONGEST_PROMPT),
      answers: capped(`${question}${choice}`, 500),
      ...(isDoubtful && { isDoubtful }),
    };
  });
}

/** A plan that was let pass: by a person, or by settings with which nobody is asked. */
function approvalOf({ tool, response }: RawCall, at: string): PromptEntry[] {
  const plan = tool === "ExitPlanMode" ? textOf(response, "plan") : undefined;
  if (plan === undefined || own(response, "isAgent") === true) return [];
  return [{ kind: "prompt", at, text: "(approved the plan)", answers: capped(plan, 200), isDoubtful: true }];
}
