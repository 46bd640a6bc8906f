import { capped } from "../../../core/text/shorten.ts";
import { asList, asRecord, describe, own, textOf } from "../../../core/text/untrusted.ts";
import { commandOf, pathOf, ranCommand, type RawCall, withinRoot } from "../events/read-calls.ts";
import { isRefused, outputOf, succeeded } from "../events/tool-response.ts";
import { editsOf } from "./edits-of-call.ts";
import {
  LONGEST_PROMPT,
  type PromptEntry,
  type StepEntry,
  type TranscriptEntry,
} from "../events/transcript-entry.ts";
import { closingLine, keyLines, mentioningLines, shownLines } from "./key-lines.ts";
import { repeatedNames } from "./mentions.ts";

const LONGEST_WORDS = 160;

/** What a finished call tells: a step, and a person's words if it asked for them or was refused with some. */
export function entriesOfCall(call: RawCall, at: string, root: string): TranscriptEntry[] {
  const refusal = refusalOf(call, at, root);
  if (refusal !== undefined) return refusal;
  const answers = [...answersOf(call, at), ...approvalOf(call, at)];
  return answers.length > 0 ? answers : [stepOf(call, at, root)];
}

function stepOf(call: RawCall, at: string, root: string): StepEntry {
  const ran = ranCommand(call, root);
  const ok = ran?.check?.ok ?? ran?.ok ?? succeeded(call);
  const step = { kind: "step" as const, at, tool: call.tool, ok };
  if (ran !== undefined) {
    const { command, check, output } = ran;
    const printed = shownLines(output);
    const closing = check === undefined ? [] : closingLine(printed);
    const lines = ok === false ? keyLines(printed, 6) : closing;
    const isHidden = check?.ok === false && ran.ok === true;
    return { ...step, command, check: check?.check, isHidden, lines, mentions: mentioningLines(printed) };
  }
  const about = targetOf(call, root);
  if (ok === false) return { ...step, ...about, lines: keyLines(shownLines(outputOf(call)), 2) };
  return { ...step, ...about, edits: editsOf(call, root), names: namesRead(call) };
}

/** Only of files and searches: what else tools answer is full of words that look like names. */
function namesRead({ tool, response }: RawCall): string[] | undefined {
  if (!/^(?:read|grep|search|view)/i.test(tool)) return undefined;
  const content = own(own(response, "file"), "content") ?? own(response, "content") ?? response;
  return typeof content === "string" ? repeatedNames(content) : undefined;
}

const WHAT_NAMES = "pattern query description url skill subject title id prompt".split(" ");

/** The file, or in a few words what else a call was about. */
function targetOf({ tool, input }: RawCall, root: string): Pick<StepEntry, "path" | "line" | "what"> {
  const path = pathOf(input);
  const words = textOf(input, ...WHAT_NAMES);
  const what = words === undefined ? undefined : capped(words, LONGEST_WORDS);
  if (path === undefined) return { what };
  const offset = own(input, "offset");
  const line = typeof offset === "number" && offset > 1 ? offset : undefined;
  const isPlain = /^(?:Read|read|Edit|Write)/.test(tool);
  return { path: withinRoot(path, root), what: isPlain ? undefined : what, line };
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
  const { path, what } = targetOf(call, root);
  // A server, a page or a program may print the client's own words. The client's own tools begin an error with others.
  const isDoubtful = call.error === undefined || !OWN_TOOLS.test(call.tool);
  const refused = `refused: ${call.tool} ${commandOf(call) ?? path ?? what ?? ""}`.trim();
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
  return [{ kind: "prompt", at, text: "(approved the plan)", answers: capped(plan, 500), isDoubtful: true }];
}
