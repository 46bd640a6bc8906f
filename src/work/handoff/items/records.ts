import type { Command, Dependency, WorkState } from "../../state/work-state.ts";
import { asText, describe, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { clipped, listItems } from "./forms.ts";
import type { Item } from "./item.ts";
import { decisionWords } from "./project.ts";
import { runItems } from "./run.ts";

/** What people and agents noted along the way, and what tools recorded. */
export function records(state: WorkState): Item[] {
  const hasTranscript = hasActivity(state);
  return [
    ...listItems("success_criteria", state.success_criteria, (words) => ({ value: 60, words })),
    ...listItems("blockers", state.blockers, ({ text }) => ({ value: 60, words: text })),
    ...listItems("gotchas", state.gotchas, ({ text }) => ({ value: 24, words: text })),
    // Without room for its reason, the decision alone.
    ...listItems("decisions", state.decisions, (entry) => {
      const words = decisionWords(entry);
      return { value: 42, words, fit: clipped(words, entry.what) };
    }),
    // What the transcript tells of commands and their results is more, and says it better.
    ...(hasTranscript
      ? []
      : [
          ...listItems("checks_failing", state.checks_failing, (words) => ({ value: 60, words })),
          ...outputs(state),
        ]),
    ...commands(state, hasTranscript),
    ...dependencies(state),
    ...subagents(state),
    ...runItems(state),
  ];
}

/** Whether a transcript told what the agent said and did. */
export function hasActivity({ activity }: WorkState): boolean {
  return activity !== undefined && activity.turns.length > 0;
}

/** Each command once, with its last result: the next agent needs to know how to test, not a history. */
function commands({ commands: all }: WorkState, failuresStandElsewhere: boolean): Item[] {
  const lines = all.map(commandOf);
  return listItems("commands", all, (entry, index) => {
    const command = lines[index]!;
    if (command === "" || lines.lastIndexOf(command) !== index) return undefined;
    if (failuresStandElsewhere && entry.ok === false) return undefined;
    const [result, value] = resultOf(entry);
    const words = `${command}${result}`;
    return { value, words, fit: clipped(words, `${clip(command, 90)}${result}`) };
  });
}

function resultOf({ ok, interrupted }: Command): [words: string, value: number] {
  if (interrupted === true) return [": was running when its session broke off", 30];
  return ok === false ? [": failed", 10] : [ok === true ? ": ok" : "", 6];
}

function commandOf({ argv }: Command): string {
  // A shell's line is shown without the shell.
  if (argv.length === 3 && argv[0] === "sh" && argv[1] === "-c") return argv[2]!;
  return argv.map((part) => (/[\s"'$`\\]/.test(part) ? describe(part) : part)).join(" ");
}

/** Whether a dependency can be used, in the words of whatever recorded it. */
export function isAvailable({ status }: Dependency): boolean {
  return /^(available|ok|up|healthy|connected|running)$/i.test(status);
}

function dependencies(state: WorkState): Item[] {
  return listItems("dependencies", state.dependencies, (entry) => {
    const { name, type, status, reason, endpoint } = entry;
    const why = `${status}${reason === undefined ? "" : ` (${reason})`}`;
    const words = `${name} (${type}): ${why}${endpoint === null ? "" : `, ${endpoint}`}`;
    // The situation already lists what is available; here the address counts.
    return isAvailable(entry)
      ? { value: 3, words }
      : { value: 24, words, fit: clipped(words, `${name}: ${why}`) };
  });
}

/** Any program may have written these: nothing of their shape is known. */
function subagents(state: WorkState): Item[] {
  return listItems("subagents", state.subagents, (entry) => {
    const name = textOf(entry, "id", "agent_id", "name") ?? asText(entry) ?? describe(entry);
    const status = textOf(entry, "status", "state");
    const task = textOf(entry, "task", "subject", "agent_type", "type");
    const said = textOf(entry, "result", "summary", "last_message", "last_assistant_message");
    const head = `${name}${status === undefined ? "" : ` (${status})`}${task === undefined ? "" : `: ${task}`}`;
    const words = said === undefined ? head : `${head}; last said: ${clip(said, 300)}`;
    const isDone = /^(completed|done|stopped|finished)$/i.test(status ?? "");
    return { value: isDone ? 7 : 14, words, fit: clipped(words, head) };
  });
}

function outputs(state: WorkState): Item[] {
  return listItems("recent_outputs", state.recent_outputs, ({ action, type, id, success }) => {
    const words = `${action || type}: ${success ? "ok" : "failed"}${id === "" ? "" : `, ${id}`}`;
    return { value: success ? 2 : 6, words };
  });
}
