import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { verb } from "../api.ts";
import { GrowthChart } from "../growth-chart.tsx";
import { type Answer, Command, Shown, TrailLink, useVerb } from "../parts.tsx";
import { List, Table } from "../table.tsx";
import type { Answers, View } from "../shapes.ts";
import { bytes, countWords } from "../words.ts";

type Used = Pick<Answers["usage"]["trails"][number], "checkpoints" | "bytes">;

const MOST_TRAILS = 15;

/** What the store holds, how it grew, what a prune would remove, and whether everything is as it was written. */
export const StoreView: View = () => {
  const answer = useVerb("usage");
  return (
    <Shown title="Store" answer={answer}>
      {({ disk_bytes, trails, days }) => (
        <>
          <p>
            {bytes(disk_bytes)} on the disk, {countWords(sumOf(trails, "checkpoints"), "checkpoint")} in{" "}
            {countWords(trails.length, "trail")}. What several checkpoints share is stored once, and counts
            where it was first saved.
          </p>
          <div class="columns">
            <div>
              <h2>Growth</h2>
              {days.length > 1 ? (
                <GrowthChart days={days} />
              ) : (
                <p class="quiet">{days[0] ? `Everything was saved on ${days[0].day}.` : "Nothing yet."}</p>
              )}
              {usedTable(
                "Trail",
                trails.slice(0, MOST_TRAILS).map((each) => [<TrailLink name={each.name} />, each]),
              )}
              {trails.length > MOST_TRAILS && (
                <p class="quiet">and {countWords(trails.length - MOST_TRAILS, "smaller one")}</p>
              )}
            </div>
            <div>
              {usedTable("Kind", kindsOf(trails))}
              <Prune />
              <Verify />
            </div>
          </div>
        </>
      )}
    </Shown>
  );
};

const KINDS: Readonly<Record<string, string>> = {
  "session/": "agent sessions",
  "run/": "runs",
  "transcript/": "transcripts",
  "thread/": "threads",
  "progress/": "progress files",
  "cairn/": "the ledger",
};

/** What trails are for is told by how their names begin. */
function kindsOf(trails: Answers["usage"]["trails"]): [ComponentChildren, Used][] {
  const kinds = Map.groupBy(trails, ({ name }) => KINDS[name.replace(/\/.*/, "/")] ?? "work");
  return [...kinds]
    .map(([kind, all]): [string, Used] => [
      kind,
      { checkpoints: sumOf(all, "checkpoints"), bytes: sumOf(all, "bytes") },
    ])
    .toSorted(([, a], [, b]) => b.bytes - a.bytes);
}

const sumOf = (all: readonly Used[], what: keyof Used) => all.reduce((sum, used) => sum + used[what], 0);

const usedTable = (name: string, rows: readonly [ComponentChildren, Used][]) => (
  <Table
    title={`By ${name.toLowerCase()}`}
    columns={[name, "#Checkpoints", "#Size"]}
    rows={rows.map(([name, used]) => [name, used.checkpoints.toLocaleString(), bytes(used.bytes)])}
  />
);

/** Asks only when the button is pressed: it reads much. */
function OnDemand<Name extends "prune" | "verify">(props: {
  title: string;
  label: string;
  verb: Name;
  input?: object;
  children: (result: Answers[Name]) => ComponentChildren;
}) {
  const [answer, setAnswer] = useState<Answer<Answers[Name]>>();
  const ask = () => {
    setAnswer({});
    verb(props.verb, props.input).then(
      (result) => setAnswer({ result }),
      (error: Error) => setAnswer({ error }),
    );
  };
  return (
    <section>
      <h2>{props.title}</h2>
      <button type="button" disabled={answer && !answer.result && !answer.error} onClick={ask}>
        {props.label}
      </button>
      <div role="status">{answer && <Shown answer={answer}>{props.children}</Shown>}</div>
    </section>
  );
}

const Prune = () => (
  <OnDemand title="What a prune would remove" label="Preview" verb="prune" input={{ all: true }}>
    {({ removed, kept }) => (
      <>
        <p>
          {countWords(removed.length, "checkpoint")} would go, {kept.length.toLocaleString()} would stay.
          Nothing was changed.
        </p>
        <List
          class="small quiet"
          items={[
            ...countEach(removed.map(({ trail }) => `from ${trail}`)).slice(0, 10),
            ...countEach(kept.flatMap(({ reasons }) => reasons.map((reason) => `kept: ${reason}`))),
          ]}
        />
        {removed.length > 0 && <Command text="checkpoint prune --all" />}
      </>
    )}
  </OnDemand>
);

/** Each line once, with how often it occurs. */
const countEach = (lines: readonly string[]) =>
  [...Map.groupBy(lines, (line) => line)].map(([line, all]) => `${all.length.toLocaleString()} ${line}`);

const Verify = () => (
  <OnDemand title="Is everything intact?" label="Verify" verb="verify">
    {({ damage, checkpoints, objects }) =>
      damage.length === 0 ? (
        <p class="good">
          Yes: {countWords(checkpoints, "checkpoint")} and {countWords(objects, "object")} match their hashes.
        </p>
      ) : (
        <>
          <List class="bad" items={damage.map(({ what }) => what)} />
          <Command text="checkpoint verify --repair" />
        </>
      )
    }
  </OnDemand>
);
