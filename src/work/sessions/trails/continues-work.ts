import { isTaskOver } from "../../state/tasks.ts";
import type { WorkState } from "../../state/work-state.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import type { EventFacts } from "../events/facts.ts";
import { subjectOf } from "../reduce/inherited-tasks.ts";

/** How people ask to continue something, in several languages. */
const CONTINUE =
  /(?<!\p{L})(?:go on|carry on|keep (?:going|on)|continue|proceed|resume|pick\b.{0,30}\bup|take\b.{0,30}\bover|finish (?:it|this|that|them|up|the rest|the work|what)|left off|mach\p{L}* (?:bitte )?weiter|weiter\p{L}*|fortsetz\p{L}*|fortfahren|continu[ea]\p{L}*|reprend\p{L}*|poursui\p{L}*|contin[uú]a\p{L}*|sigue|seguir|retom\p{L}*|prosegu\p{L}*|riprend\p{L}*|ga (?:door|verder)|kontynu\p{L}*|fortsätt\p{L}*|продолж\p{L}*)(?!\p{L})|继续|繼續|続け|続き|계속/iu;
/** How people say, at the beginning, that they want something else. */
const SOMETHING_ELSE =
  /^.{0,60}(?<!\p{L})(?:don'?t|do not|instead|ignore|forget|something else|new task|nicht|statt\p{L}*|etwas anderes|ne pas|plutôt|en vez|invece)(?!\p{L})/iu;
const YES =
  /^(?:yes|yep|yeah|y|ok|okay|sure|please|do (?:it|so|that)|go|ja|klar|gerne?|oui|sí|si|sim|да|はい|好的?|是|네)[\s,.!]*(?:please|do|bitte|do it)?[.! ]*$/iu;

/** A request to continue comes first, or in a short prompt. Further on in a long one the word means something else. */
const AT_ONCE = 16;
const FEW_WORDS = 6;

/**
 * Whether a prompt or a plan shows that a new session continues the work that was handed to it. Nothing is assumed: a
 * session that was told about unfinished work may have another purpose.
 */
export function continuesWork(
  facts: EventFacts,
  mine: WorkState,
  { trail, state }: { trail: string; state: WorkState },
): boolean {
  if (plansTheSame(facts, state)) return true;
  const { prompt } = facts;
  if (prompt === undefined) return false;
  const name = textOf(own(state, "session"), "id") ?? `trail ${trail}`;
  if (prompt.includes(name)) return !SOMETHING_ELSE.test(prompt);
  // Once the session has work of its own, "go on" means that.
  if (mine.tasks.length > 0 || mine.files_touched.length > 0 || SOMETHING_ELSE.test(prompt)) return false;
  return asksToContinue(prompt) || YES.test(prompt.trim()) || speaksOf(prompt, state);
}

function asksToContinue(prompt: string): boolean {
  const at = CONTINUE.exec(prompt)?.index;
  return at !== undefined && (at <= AT_ONCE || prompt.trim().split(/\s+/).length <= FEW_WORDS);
}

/** Subjects that are on every list. */
const USUAL =
  /^(?:\p{L}+ )?(?:the |all )?(?:tests?|lint|linter|build|docs|documentation|changes?|changelog)$/u;

/** The new session's own list has one of the open tasks. */
function plansTheSame({ tasks = [] }: EventFacts, state: WorkState): boolean {
  const open = new Set(openSubjects(state));
  const isSame = (subject: string) => open.has(subject) && subject !== "" && !USUAL.test(subject);
  return tasks.some((list) => list.tasks.some((task) => isSame(subjectOf(task))));
}

function openSubjects(state: WorkState): string[] {
  return asList(state.tasks)
    .filter((task) => !isTaskOver(task))
    .map(subjectOf);
}

/** Most words of the prompt are words of the work. */
function speaksOf(prompt: string, state: WorkState): boolean {
  const asked = wordsOf(prompt);
  const work = wordsOf(
    [textOf(state, "goal"), textOf(state, "next_action"), ...openSubjects(state)].join(" "),
  );
  const known = [...asked].filter((word) => work.has(word)).length;
  return known >= 2 && known >= 0.6 * asked.size;
}

function wordsOf(text: string): Set<string> {
  const words =
    text
      .slice(0, 4000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return new Set(
    words.filter((word) => !/^(please|with|that|this|then|from|have|into|bitte|dann|noch)$/.test(word)),
  );
}
