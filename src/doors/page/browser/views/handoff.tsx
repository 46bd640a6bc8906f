import { useState } from "preact/hooks";

import { shellWord } from "../../../../core/text/shell-word.ts";
import { Choice, Field } from "../fields.tsx";
import { Bar, Command, Copy, Shown, useVerb } from "../parts.tsx";
import { List, Table } from "../table.tsx";
import { go } from "../route.ts";
import type { Answers, View } from "../shapes.ts";
import { countWords } from "../words.ts";

/** How far one movement of the slider goes. */
const STEP = 50;
/** More than any briefing needs. */
const ALL = 100_000;
const FIRST_BUDGET = 1000;

/** The briefing as the next agent would get it: what is in it, what is left out, and why. */
export const HandoffView: View = ({ query }) => {
  const [wanted, setWanted] = useState(Number(query.get("budget")) || FIRST_BUDGET);
  const [role, setRole] = useState(query.get("for") ?? "");
  const trail = query.get("trail") ?? undefined;
  const trails = useVerb("trails");
  const input = { trail, ...(role !== "" && { for: role }) };
  const follows = (name: string) => trail === undefined || name === trail;
  const { result: whole } = useVerb("summary", { ...input, max_tokens: ALL }, follows);
  const least = roundUp(useVerb("leastBudget", { trail }, follows).result ?? STEP);
  const most = Math.max(least, whole ? roundUp(whole.tokens.upper) : wanted);
  const budget = Math.min(most, Math.max(least, wanted));
  const answer = useVerb("summary", { ...input, max_tokens: budget }, follows);
  const keep = (more: object) =>
    go("handoff", { trail, budget: String(budget), for: role || undefined, ...more }, { replace: true });
  return (
    <>
      <h1>Handoff</h1>
      <div class="card row">
        <Choice
          label="Trail"
          value={trail ?? answer.result?.trail}
          names={(trails.result ?? []).map(({ name }) => name)}
          choose={(name) => keep({ trail: name })}
        />
        <Field
          label="For"
          value={role}
          placeholder="terraform, review …"
          set={setRole}
          onChange={(event) => keep({ for: event.currentTarget.value || undefined })}
        />
        <Field
          label={`Budget: ${budget.toLocaleString()} tokens`}
          type="range"
          min={least}
          max={most}
          step={STEP}
          value={budget}
          aria-valuetext={`${budget} tokens`}
          set={(value) => setWanted(Number(value))}
          onChange={(event) => keep({ budget: event.currentTarget.value })}
        />
      </div>
      <Shown answer={answer}>{(summary) => <Briefing summary={summary} budget={budget} role={role} />}</Shown>
    </>
  );
};

function Briefing({ summary, budget, role }: { summary: Answers["summary"]; budget: number; role: string }) {
  const { text, tokens, kept, dropped, resume_command } = summary;
  const left = Math.max(0, budget - tokens.upper);
  return (
    <>
      <Bar size={Math.min(100, (100 * tokens.upper) / budget)} tone="live" />
      <p class="small quiet">
        About {countWords(tokens.estimate, "token")}, at most {tokens.upper.toLocaleString()} of{" "}
        {budget.toLocaleString()}; counted for {tokens.family} ({tokens.method}).
      </p>
      <div class="columns">
        <div>
          <h2>The text</h2>
          <p class="row">
            <Copy label="Copy the text" text={() => text} />
            <Command text={commandOf(summary, budget, role)} />
          </p>
          <pre>{text}</pre>
          <p class="small">
            Where the rest is: <Command text={resume_command} />
          </p>
        </div>
        <div>
          <Table
            title={`Left out (${dropped.length})`}
            columns={["What", "Why", "#Tokens", "#Worth"]}
            rows={summedUp(dropped, (item) => whyNot(item, left))}
            empty={<p class="quiet">Nothing: everything fits.</p>}
          />
          <Table
            title={`In it (${kept.length})`}
            columns={["What", "Form", "#Tokens", "#Worth"]}
            rows={summedUp(kept, (item) => item.form)}
          />
        </div>
      </div>
    </>
  );
}

type Item = Answers["summary"]["dropped"][number];

const roundUp = (tokens: number) => STEP * Math.ceil(tokens / STEP);

const commandOf = ({ trail }: Answers["summary"], budget: number, role: string) =>
  `checkpoint summary --trail ${shellWord(trail)} --max-tokens ${budget}${role && ` --for ${shellWord(role)}`}`;

/** So many alike in a section are one row, with their names when it is opened. */
const MANY = 4;

/** A row for each item; those of a section that are alike, together. */
function summedUp(items: readonly Item[], about: (item: Item) => string) {
  const sum = (all: readonly Item[], what: "tokens" | "value") =>
    all.reduce((total, item) => total + item[what], 0);
  return [...Map.groupBy(items, (item) => `${item.section} ${wordsOf(about(item))}`).values()].flatMap(
    (all) =>
      all.length < MANY
        ? all.map((item) => [nameOf(item), about(item), Math.round(item.tokens), item.value.toFixed(1)])
        : [
            [
              <details>
                <summary>
                  {all[0]!.section.replaceAll("_", " ")}: {countWords(all.length, "item")}
                </summary>
                <List class="small" items={all.map(nameOf)} />
              </details>,
              about(all[0]!),
              Math.round(sum(all, "tokens")),
              sum(all, "value").toFixed(1),
            ],
          ],
  );
}

/** What is alike although its numbers differ. */
const wordsOf = (about: string) => about.replace(/\d+/g, "");

/** Room is dealt out by sections, and inside one by worth. */
const whyNot = ({ tokens }: Item, left: number) =>
  tokens > left ? `needs ${tokens} tokens, ${left} are left` : "its section has no room left";

/** `success_criteria[0]` as people say it: success criteria 1. */
function nameOf({ id, section }: Item): string {
  const named = id.replace(/\[(\d+)\]/, (_, index: string) => ` ${Number(index) + 1}`).replaceAll("_", " ");
  const part = section.replaceAll("_", " ");
  return named.startsWith(part) ? named : `${part}: ${named}`;
}
