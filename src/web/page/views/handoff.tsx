import { useState } from "preact/hooks";

import { useMoves } from "../live.ts";
import { Command, Shown, useVerb } from "../parts.tsx";
import type { View } from "../shell.tsx";
import type { Trail } from "../shapes.ts";
import { countWords } from "../words.ts";

interface Item {
  readonly id: string;
  readonly section: string;
  readonly form: string;
  readonly tokens: number;
  readonly value: number;
}

interface Summary {
  readonly trail: string;
  readonly text: string;
  readonly tokens: {
    readonly estimate: number;
    readonly upper: number;
    readonly family: string;
    readonly method: string;
  };
  readonly kept: readonly Item[];
  readonly dropped: readonly Item[];
  readonly resume_command: string;
}

const BUDGETS = { least: 200, most: 8000 };

/** The briefing as the next agent would get it: what is in it, what is left out, and why. */
export const HandoffView: View = ({ query }) => {
  const [budget, setBudget] = useState(1000);
  const [role, setRole] = useState("");
  const named = query.get("trail") ?? undefined;
  const [trail, setTrail] = useState(named);
  const moves = useMoves((name) => name === trail);
  const trails = useVerb<readonly Trail[]>("trails", {});
  const answer = useVerb<Summary>(
    "summary",
    { trail, max_tokens: budget, ...(role !== "" && { for: role }) },
    [moves],
  );
  return (
    <>
      <h1>Handoff</h1>
      <div class="card row">
        <label>
          Trail{" "}
          <select
            value={trail ?? answer.result?.trail}
            onChange={(event) => setTrail(event.currentTarget.value)}
          >
            {trails.result?.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          For{" "}
          <input
            value={role}
            placeholder="terraform, review …"
            onInput={(event) => setRole(event.currentTarget.value)}
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
            onInput={(event) => setBudget(Number(event.currentTarget.value))}
          />
        </label>
      </div>
      <Shown answer={answer}>
        {({ text, tokens, kept, dropped, resume_command }) => (
          <div class="columns">
            <div>
              <h2>
                The text: about {countWords(tokens.estimate, "token")}, at most{" "}
                {tokens.upper.toLocaleString()}
              </h2>
              <p class="quiet small">
                Counted for {tokens.family}: {tokens.method}.
              </p>
              <pre>{text}</pre>
              <p class="small">
                To go on: <Command text={resume_command} />
              </p>
            </div>
            <div>
              <Items
                title="Left out"
                items={dropped}
                why="Each is worth less for its tokens than what is in it, or no longer fits into the budget."
              />
              <Items title="In it" items={kept} />
            </div>
          </div>
        )}
      </Shown>
    </>
  );
};

function Items({ title, items, why }: { title: string; items: readonly Item[]; why?: string }) {
  return (
    <section>
      <h2>
        {title} ({items.length})
      </h2>
      {why && items.length > 0 && <p class="quiet small">{why}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number" title="What it is worth to this briefing, beside the others">
              Worth
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, section, form, tokens, value }) => (
            <tr key={id}>
              <td>
                {nameOf(id, section)} {form !== "full" && <span class="quiet small">{form}</span>}
              </td>
              <td class="number">{tokens}</td>
              <td class="number quiet">{value.toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `success_criteria[0]` as people say it: success criteria 1. */
function nameOf(id: string, section: string): string {
  const named = id.replace(/\[(\d+)\]/, (_, index: string) => ` ${Number(index) + 1}`).replaceAll("_", " ");
  const part = section.replaceAll("_", " ");
  return named.startsWith(part) ? named : `${part}: ${named}`;
}
