import { useState } from "preact/hooks";

import { Bar, Choice, Command, Field, Shown, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import { go } from "../route.ts";
import type { Answers, View } from "../shapes.ts";
import { countWords } from "../words.ts";

const BUDGETS = { min: 200, max: 8000, step: 50 };
const FIRST_BUDGET = 1000;

/** The briefing as the next agent would get it: what is in it, what is left out, and why. */
export const HandoffView: View = ({ query }) => {
  const [budget, setBudget] = useState(Number(query.get("budget")) || FIRST_BUDGET);
  const [role, setRole] = useState(query.get("for") ?? "");
  const trail = query.get("trail") ?? undefined;
  const trails = useVerb("trails");
  const input = { trail, max_tokens: budget, ...(role !== "" && { for: role }) };
  const answer = useVerb("summary", input, (name) => trail === undefined || name === trail);
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
          {...BUDGETS}
          value={budget}
          aria-valuetext={`${budget} tokens`}
          set={(value) => setBudget(Number(value))}
          onChange={(event) => keep({ budget: event.currentTarget.value })}
        />
      </div>
      <Shown answer={answer}>{(summary) => <Briefing summary={summary} budget={budget} />}</Shown>
    </>
  );
};

function Briefing({ summary, budget }: { summary: Answers["summary"]; budget: number }) {
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
          <pre>{text}</pre>
          <p class="small">
            Where the rest is: <Command text={resume_command} />
          </p>
        </div>
        <div>
          <Table
            title={`Left out (${dropped.length})`}
            columns={["What", "Why", "#Tokens", "#Worth"]}
            rows={dropped.map((item) => rowOf(item, whyNot(item, left)))}
            empty={<p class="quiet">Nothing: everything fits.</p>}
          />
          <Table
            title={`In it (${kept.length})`}
            columns={["What", "Form", "#Tokens", "#Worth"]}
            rows={kept.map((item) => rowOf(item, item.form))}
          />
        </div>
      </div>
    </>
  );
}

type Item = Answers["summary"]["dropped"][number];

const rowOf = (item: Item, about: string) => [nameOf(item), about, item.tokens, item.value.toFixed(1)];

/** Room is dealt out by sections, and inside one by worth. */
const whyNot = ({ tokens }: Item, left: number) =>
  tokens > left ? `needs ${tokens} tokens, ${left} are left` : "its section has no room left";

/** `success_criteria[0]` as people say it: success criteria 1. */
function nameOf({ id, section }: Item): string {
  const named = id.replace(/\[(\d+)\]/, (_, index: string) => ` ${Number(index) + 1}`).replaceAll("_", " ");
  const part = section.replaceAll("_", " ");
  return named.startsWith(part) ? named : `${part}: ${named}`;
}
