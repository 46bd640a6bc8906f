import { asList, asText, describe, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { clipped, listItems, present, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";
import { wordsOf } from "./project.ts";
import { runItems } from "./run.ts";
import type { SectionName } from "./sections.ts";

/** What people and agents noted along the way, and what tools recorded. */
export function records(state: unknown): Item[] {
  const hasTranscript = hasActivity(state);
  return [
    ...remarks(state, "success_criteria", 60),
    ...remarks(state, "blockers", 60),
    ...remarks(state, "gotchas", 24),
    ...decisions(state),
    // What the transcript tells of commands and their results is more, and says it better.
    ...(hasTranscript ? [] : [...remarks(state, "checks_failing", 60), ...outputs(state)]),
    ...commands(state, hasTranscript),
    ...dependencies(state),
    ...subagents(state),
    ...runItems(state),
  ];
}

/** Whether a transcript told what the agent said and did. */
export function hasActivity(state: unknown): boolean {
  return asList(own(own(state, "activity"), "turns")).length > 0;
}

function remarks(state: unknown, section: SectionName, value: number): Item[] {
  return listItems(state, section, (entry) => {
    const words = sentenceOf(entry, "command", "check");
    return words === undefined ? undefined : { value, words };
  });
}

/** Without room for its reason, the decision alone. */
function decisions(state: unknown): Item[] {
  return listItems(state, "decisions", (entry) => {
    const [what, words] = [sentenceOf(entry, "decision"), wordsOf(entry)];
    return what && words ? { value: 42, words, fit: clipped(words, what) } : undefined;
  });
}

/** Each command once, with its last result: the next agent needs to know how to test, not a history. */
function commands(state: unknown, failuresStandElsewhere: boolean): Item[] {
  const all = asList(own(state, "commands")).map(commandOf);
  return listItems(state, "commands", (entry, index) => {
    const command = all[index];
    if (command === undefined || all.lastIndexOf(command) !== index) return undefined;
    if (failuresStandElsewhere && own(entry, "ok") === false) return undefined;
    const [result, value] = resultOf(entry);
    const words = `${command}${result}`;
    return { value, words, fit: clipped(words, `${clip(command, 90)}${result}`) };
  });
}

function resultOf(entry: unknown): [words: string, value: number] {
  if (own(entry, "interrupted") === true) return [": was running when its session broke off", 30];
  const ok = own(entry, "ok");
  return ok === false ? [": failed", 10] : [ok === true ? ": ok" : "", 6];
}

function commandOf(entry: unknown): string | undefined {
  const argv = own(entry, "argv");
  if (!Array.isArray(argv)) return sentenceOf(entry, "command");
  // A shell's line is shown without the shell.
  if (argv.length === 3 && argv[0] === "sh" && argv[1] === "-c") return asText(argv[2]);
  const parts = present(argv.map(asText)).map((part) => (/[\s"'$`\\]/.test(part) ? describe(part) : part));
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** Whether a dependency can be used, in the words of whatever recorded it. */
export function isAvailable(dependency: unknown): boolean {
  return /^(available|ok|up|healthy|connected|running)$/i.test(textOf(dependency, "status") ?? "");
}

function dependencies(state: unknown): Item[] {
  return listItems(state, "dependencies", (entry) => {
    const name = sentenceOf(entry);
    if (name === undefined) return undefined;
    const [type, reason] = [textOf(entry, "type"), textOf(entry, "reason")];
    const why = `${textOf(entry, "status") ?? "unknown"}${reason === undefined ? "" : ` (${reason})`}`;
    const title = `${name}${type === undefined ? "" : ` (${type})`}: ${why}`;
    const words = present([title, textOf(entry, "endpoint")]).join(", ");
    // The situation already lists what is available; here the address counts.
    return isAvailable(entry)
      ? { value: 3, words }
      : { value: 24, words, fit: clipped(words, `${name}: ${why}`) };
  });
}

function subagents(state: unknown): Item[] {
  return listItems(state, "subagents", (entry) => {
    const name = textOf(entry, "id", "agent_id", "name") ?? sentenceOf(entry);
    if (name === undefined) return undefined;
    const status = textOf(entry, "status", "state");
    const task = textOf(entry, "task", "subject", "agent_type", "type");
    const said = textOf(entry, "result", "summary", "last_message", "last_assistant_message");
    const head = `${name}${status === undefined ? "" : ` (${status})`}${task === undefined ? "" : `: ${task}`}`;
    const words = said === undefined ? head : `${head}; last said: ${clip(said, 300)}`;
    const isDone = /^(completed|done|stopped|finished)$/i.test(status ?? "");
    return { value: isDone ? 7 : 14, words, fit: clipped(words, head) };
  });
}

function outputs(state: unknown): Item[] {
  return listItems(state, "recent_outputs", (entry) => {
    const action = textOf(entry, "action", "type") ?? sentenceOf(entry);
    if (action === undefined) return undefined;
    const failed = own(entry, "success") === false;
    const words = present([`${action}: ${failed ? "failed" : "ok"}`, textOf(entry, "id")]).join(", ");
    return { value: failed ? 6 : 2, words };
  });
}
