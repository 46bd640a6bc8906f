import { runItems } from "./run.ts";
import { asList, asText, describe, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { clipped, item, listItems, sentenceOf, worthOf } from "./forms.ts";
import type { Item, ItemTier } from "./item.ts";
import type { SectionName } from "./sections.ts";

/** What people and agents noted along the way, and what tools recorded. */
export function records(state: unknown): Item[] {
  return [
    ...remarks(state, "success_criteria", 1, 60),
    ...remarks(state, "blockers", 1, 60),
    ...(hasActivity(state) ? [] : remarks(state, "checks_failing", 1, 60)),
    ...remarks(state, "gotchas", 2, 24),
    ...decisions(state),
    // What the transcript tells of commands and their outputs is more, and says it better.
    ...(hasActivity(state) ? commands(state, isInterrupted) : [...commands(state), ...outputs(state)]),
    ...dependencies(state),
    ...subagents(state),
    ...runItems(state),
  ];
}

/** Whether a transcript told what the agent said and did. */
export function hasActivity(state: unknown): boolean {
  return asList(own(own(state, "activity"), "turns")).length > 0;
}

const isInterrupted = (entry: unknown) => own(entry, "interrupted") === true;

function remarks(state: unknown, section: SectionName, tier: ItemTier, value: number): Item[] {
  return listItems(state, section, (entry) => {
    const words = sentenceOf(entry, "command", "check");
    return words === undefined ? undefined : { tier, value: worthOf(value, words), words };
  });
}

/** The reason keeps the next agent from undoing a decision. Without room for it, the decision alone. */
function decisions(state: unknown): Item[] {
  return listItems(state, "decisions", (entry) => {
    const what = sentenceOf(entry, "decision");
    if (what === undefined) return undefined;
    const why = textOf(entry, "why", "reason", "rationale");
    const words = why === undefined ? what : `${withoutStop(what)}, because: ${why}`;
    return { tier: 1, value: worthOf(42, words), words, fit: clipped(words, what) };
  });
}

/** By hand: a regular expression would search every run of dots and blanks again from each of its characters. */
function withoutStop(sentence: string): string {
  let end = sentence.length;
  while (/[.;\s]/.test(sentence.charAt(end - 1))) end -= 1;
  return sentence.slice(0, end);
}

/** Each command once, with its last result: the next agent needs to know how to test, not a history. */
function commands(state: unknown, isTold: (entry: unknown) => boolean = () => true): Item[] {
  const last = new Map<string, { entry: unknown; index: number; runs: number }>();
  for (const [index, entry] of asList(own(state, "commands")).entries()) {
    const words = commandWords(entry);
    if (words === undefined || !isTold(entry)) continue;
    const runs = (last.get(words)?.runs ?? 0) + 1;
    // Deleted first, so that the order is that of the latest runs.
    last.delete(words);
    last.set(words, { entry, index, runs });
  }
  return [...last].map(([command, { entry, index, runs }]) => {
    const ok = own(entry, "ok");
    const isLost = isInterrupted(entry);
    const result = isLost
      ? ": was running when its session broke off"
      : ok === false
        ? ": failed"
        : ok === true
          ? ": ok"
          : "";
    const words = `${command}${result}${runs > 2 ? ` (${runs} runs)` : ""}`;
    const fit = clipped(words, `${clip(command, 90)}${result}`);
    const value = isLost ? 30 : ok === false ? 10 : 6;
    return item({ id: `commands[${index}]`, section: "commands", tier: 2, value, words, fit, from: entry });
  });
}

function commandWords(entry: unknown): string | undefined {
  const argv = own(entry, "argv");
  if (!Array.isArray(argv)) return sentenceOf(entry, "command");
  // A shell's line is shown without the shell.
  if (argv.length === 3 && argv[0] === "sh" && argv[1] === "-c") return asText(argv[2]);
  const parts = argv
    .flatMap((part) => asText(part) ?? [])
    .map((part) => (/[\s"'$`\\]/.test(part) ? describe(part) : part));
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
    const type = textOf(entry, "type");
    const status = textOf(entry, "status") ?? "unknown";
    const endpoint = textOf(entry, "endpoint");
    const reason = textOf(entry, "reason");
    const why = reason === undefined ? status : `${status} (${reason})`;
    const words = `${name}${type === undefined ? "" : ` (${type})`}: ${why}${endpoint === undefined ? "" : `, ${endpoint}`}`;
    // The situation already lists what is available; here the address counts.
    return isAvailable(entry)
      ? { tier: 2, value: 3, words }
      : { tier: 2, value: 24, words, fit: clipped(words, `${name}: ${why}`) };
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
    return { tier: 2, value: isDone ? 7 : 14, words, fit: clipped(words, head) };
  });
}

function outputs(state: unknown): Item[] {
  return listItems(state, "recent_outputs", (entry) => {
    const action = textOf(entry, "action", "type") ?? sentenceOf(entry);
    if (action === undefined) return undefined;
    const failed = own(entry, "success") === false;
    const id = textOf(entry, "id");
    const words = `${action}: ${failed ? "failed" : "ok"}${id === undefined ? "" : `, ${id}`}`;
    return { tier: 3, value: failed ? 6 : 2, words };
  });
}
