import type { WorkState } from "../../checkpoints/work-state.ts";
import { asList, own, textOf } from "../../text/untrusted.ts";
import type { Said } from "../events/facts.ts";
import { isOpen, subjectOf } from "../reduce/inherited-tasks.ts";

/** What people say who want something to be continued, in some of their languages. */
const GO_ON =
  /(?<!\p{L})(?:go on|carry on|keep (?:going|on)|continue|proceed|resume|pick\b.{0,30}\bup|take\b.{0,30}\bover|finish (?:it|this|that|them|up|the rest|the work|what)|left off|mach\p{L}* (?:bitte )?weiter|weiter\p{L}*|fortsetz\p{L}*|fortfahren|continu[ea]\p{L}*|reprend\p{L}*|poursui\p{L}*|contin[uú]a\p{L}*|sigue|seguir|retom\p{L}*|prosegu\p{L}*|riprend\p{L}*|ga (?:door|verder)|kontynu\p{L}*|fortsätt\p{L}*|продолж\p{L}*)(?!\p{L})|继续|繼續|続け|続き|계속/iu;
/** … or do not want it, as they say at the beginning. */
const SOMETHING_ELSE =
  /^.{0,60}(?<!\p{L})(?:don'?t|do not|instead|ignore|forget|something else|new task|nicht|statt\p{L}*|etwas anderes|ne pas|plutôt|en vez|invece)(?!\p{L})/iu;
const YES =
  /^(?:yes|yep|yeah|y|ok|okay|sure|please|do (?:it|so|that)|go|ja|klar|gerne?|oui|sí|si|sim|да|はい|好的?|是|네)[\s,.!]*(?:please|do|bitte|do it)?[.! ]*$/iu;

/** Who wants that says it first; further on it is about something else, unless there is nothing more. */
const AT_ONCE = 16;
const FEW_WORDS = 6;

/**
 * Whether what a new session is told, or sets out to do, is to go on with work that was handed to it. Nothing is
 * assumed: a session that was told of unfinished work may well be there for something else.
 */
export function goesOn(
  said: Said,
  mine: WorkState,
  { trail, state }: { trail: string; state: WorkState },
): boolean {
  if (plansTheSame(said, state)) return true;
  const { prompt } = said;
  if (prompt === undefined) return false;
  const name = textOf(own(state, "session"), "id") ?? `trail ${trail}`;
  if (prompt.includes(name)) return !SOMETHING_ELSE.test(prompt);
  // Later "go on" means what the session is at.
  if (mine.tasks.length > 0 || mine.files_touched.length > 0 || SOMETHING_ELSE.test(prompt)) return false;
  return asksToGoOn(prompt) || YES.test(prompt.trim()) || speaksOf(prompt, state);
}

function asksToGoOn(prompt: string): boolean {
  const at = GO_ON.exec(prompt)?.index;
  return at !== undefined && (at <= AT_ONCE || prompt.trim().split(/\s+/).length <= FEW_WORDS);
}

/** What stands on every list. */
const USUAL =
  /^(?:\p{L}+ )?(?:the |all )?(?:tests?|lint|linter|build|docs|documentation|changes?|changelog)$/u;

/** A task as it was left stands on the new session's own list. */
function plansTheSame({ tasks = [] }: Said, state: WorkState): boolean {
  const open = new Set(asList(state.tasks).filter(isOpen).map(subjectOf));
  const isSame = (subject: string) => open.has(subject) && subject !== "" && !USUAL.test(subject);
  return tasks.some((list) => list.tasks.some((task) => isSame(subjectOf(task))));
}

/** Most of the words of a request are those of the work. */
function speaksOf(prompt: string, state: WorkState): boolean {
  const asked = wordsOf(prompt);
  const work = wordsOf(
    [
      textOf(state, "goal"),
      textOf(state, "next_action"),
      ...asList(state.tasks).filter(isOpen).map(subjectOf),
    ].join(" "),
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
