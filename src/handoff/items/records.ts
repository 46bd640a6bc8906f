import type { Item } from "./item.ts";
import { asList, asText, describe, describeCut, own, textOf } from "../../text/untrusted.ts";
import { clip } from "../../text/visible.ts";
import { formsOf, item, sentenceOf } from "./forms.ts";

/** What tools recorded: commands, dependencies, subagents, outputs and the workflow run. */
export function records(state: unknown): Item[] {
  return [...commands(state), ...dependencies(state), ...subagents(state), ...run(state), ...outputs(state)];
}

/** Each command once, with how it went the last time: the next agent wants to know how to test, not a history. */
function commands(state: unknown): Item[] {
  const last = new Map<string, { entry: unknown; index: number; runs: number }>();
  for (const [index, entry] of asList(own(state, "commands")).entries()) {
    const words = commandWords(entry);
    if (words === undefined) continue;
    const runs = (last.get(words)?.runs ?? 0) + 1;
    // Taken out first, so that the order is that of the latest runs.
    last.delete(words);
    last.set(words, { entry, index, runs });
  }
  return [...last].map(([words, { entry, index, runs }]) => {
    const ok = own(entry, "ok");
    const failed = ok === false;
    const outcome = failed ? ": failed" : ok === true ? ": ok" : "";
    const often = runs > 2 ? ` (${runs} runs)` : "";
    const told = `${words}${outcome}${often}`;
    const forms = formsOf(told, `${clip(words, 90)}${outcome}`);
    const value = failed ? 10 : 6;
    return item({
      id: `commands[${index}]`,
      section: "commands",
      tier: 2,
      value,
      words: told,
      forms,
      from: entry,
    });
  });
}

function commandWords(entry: unknown): string | undefined {
  const argv = own(entry, "argv");
  if (!Array.isArray(argv)) return sentenceOf(entry, "command");
  // What a shell ran is told without the shell.
  if (argv.length === 3 && argv[0] === "sh" && argv[1] === "-c") return asText(argv[2]);
  const parts = argv
    .flatMap((part) => asText(part) ?? [])
    .map((part) => (/[\s"'$`\\]/.test(part) ? describe(part) : part));
  return parts.length === 0 ? undefined : parts.join(" ");
}

function dependencies(state: unknown): Item[] {
  return asList(own(state, "dependencies")).flatMap((entry, index) => {
    const name = sentenceOf(entry);
    if (name === undefined) return [];
    const type = textOf(entry, "type");
    const status = textOf(entry, "status") ?? "unknown";
    const endpoint = textOf(entry, "endpoint");
    const isUp = /^(available|ok|up|healthy|connected|running)$/i.test(status);
    const short = `${name}: ${status}`;
    const words = `${name}${type === undefined ? "" : ` (${type})`}: ${status}${endpoint === undefined ? "" : `, ${endpoint}`}`;
    // That it is available is said above; here it is its address that counts.
    const forms = isUp ? formsOf(words) : formsOf(words, short);
    const value = isUp ? 3 : 24;
    return [
      item({
        id: `dependencies[${index}]`,
        section: "dependencies",
        tier: 2,
        value,
        words,
        forms,
        from: entry,
      }),
    ];
  });
}

function subagents(state: unknown): Item[] {
  return asList(own(state, "subagents")).flatMap((entry, index) => {
    const name = textOf(entry, "id", "agent_id", "name") ?? sentenceOf(entry);
    if (name === undefined) return [];
    const status = textOf(entry, "status", "state");
    const task = textOf(entry, "task", "subject", "agent_type", "type");
    const said = textOf(entry, "result", "summary", "last_message", "last_assistant_message");
    const head = `${name}${status === undefined ? "" : ` (${status})`}${task === undefined ? "" : `: ${task}`}`;
    const words = said === undefined ? head : `${head}; last said: ${clip(said, 300)}`;
    const isDone = /^(completed|done|stopped|finished)$/i.test(status ?? "");
    const forms = formsOf(words, head);
    const value = isDone ? 7 : 14;
    return [
      item({ id: `subagents[${index}]`, section: "subagents", tier: 2, value, words, forms, from: entry }),
    ];
  });
}

function run(state: unknown): Item[] {
  const found = own(state, "run");
  if (found === undefined || found === null) return [];
  const head = [textOf(found, "workflow", "name", "id"), textOf(found, "status", "state")]
    .filter(Boolean)
    .join(": ");
  const words = head === "" ? describeCut(found, 400) : `${head}; ${describeCut(found, 400)}`;
  return [
    item({
      id: "run",
      section: "run",
      tier: 2,
      value: 14,
      words,
      forms: formsOf(words, head || words),
      from: found,
    }),
  ];
}

function outputs(state: unknown): Item[] {
  return asList(own(state, "recent_outputs")).flatMap((entry, index) => {
    const action = textOf(entry, "action", "type") ?? sentenceOf(entry);
    if (action === undefined) return [];
    const failed = own(entry, "success") === false;
    const id = textOf(entry, "id");
    const words = `${action}: ${failed ? "failed" : "ok"}${id === undefined ? "" : `, ${id}`}`;
    const value = failed ? 6 : 2;
    return [
      item({ id: `recent_outputs[${index}]`, section: "recent_outputs", tier: 3, value, words, from: entry }),
    ];
  });
}
