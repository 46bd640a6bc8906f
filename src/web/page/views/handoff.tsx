import { useState } from "preact/hooks";

import { useMoves } from "../live.ts";
import { Choice, Command, Shown, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import { go } from "../route.ts";
import type { View } from "../shell.tsx";
import type { Answers } from "../shapes.ts";
import { countWords } from "../words.ts";

const BUDGETS = { least: 200, most: 8000, first: 1000 };

/** The briefing as the next agent would get it: what is in it, what is left out, and why. */
export const HandoffView: View = ({ query }) => {
  const [budget, setBudget] = useState(Number(query.get("budget")) || BUDGETS.first);
  const [role, setRole] = useState(query.get("for") ?? "");
  const trail = query.get("trail") ?? undefined;
  const moves = useMoves((name) => trail === undefined || name === trail);
  const trails = useVerb("trails");
  const input = { trail, max_tokens: budget, ...(role !== "" && { for: role }) };
  const answer = useVerb("summary", input, [moves]);
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
        <label>
          For{" "}
          <input
            value={role}
            placeholder="terraform, review …"
            onInput={(event) => setRole(event.currentTarget.value)}
            onChange={(event) => keep({ for: event.currentTarget.value || undefined })}
          />
        </label>
        <label class="grow">
          Budget: {budget.toLocaleString()} tokens
          <input
            type="range"
            min={BUDGETS.least}
            max={BUDGETS.most}
            step={50}
            value={budget}
            aria-valuetext={`${budget} tokens`}
            onInput={(event) => setBudget(Number(event.currentTarget.value))}
            onChange={(event) => keep({ budget: event.currentTarget.value })}
          />
        </label>
      </div>
      <Shown answer={answer}>{(summary) => <Briefing summary={summary} budget={budget} />}</Shown>
    </>
  );
};

type Summary = Answers["summary"];

function Briefing({ summary, budget }: { summary: Summary; budget: number }) {
  const { text, tokens, kept, dropped, resume_command } = summary;
  const left = Math.max(0, budget - tokens.upper);
  return (
    <>
      <div class="bar">
        <span class="live" style={{ width: `${Math.min(100, (100 * tokens.upper) / budget)}%` }} />
      </div>
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
          <h2>Left out ({dropped.length})</h2>
          {dropped.length === 0 ? (
            <p class="quiet">Nothing: everything fits.</p>
          ) : (
            <Table
              columns={["What", "Why", "#Tokens", "#Worth"]}
              rows={dropped.map((item) => [
                nameOf(item),
                whyNot(item, left),
                item.tokens,
                item.value.toFixed(1),
              ])}
            />
          )}
          <h2>In it ({kept.length})</h2>
          <Table
            columns={["What", "Form", "#Tokens", "#Worth"]}
            rows={kept.map((item) => [nameOf(item), item.form, item.tokens, item.value.toFixed(1)])}
          />
        </div>
      </div>
    </>
  );
}

type Item = Summary["dropped"][number];

/** The most worth for the tokens goes in first. What is left over is too little, or the least worth it. */
const whyNot = ({ tokens }: Item, left: number) => (
  <span class="quiet small">
    {tokens > left
      ? `needs ${tokens}, ${left} are left`
      : "worth less than what is in it; the rest is reserve"}
  </span>
);

/** `success_criteria[0]` as people say it: success criteria 1. */
function nameOf({ id, section }: Item): string {
  const named = id.replace(/\[(\d+)\]/, (_, index: string) => ` ${Number(index) + 1}`).replaceAll("_", " ");
  const part = section.replaceAll("_", " ");
  return named.startsWith(part) ? named : `${part}: ${named}`;
}
