import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { verb } from "../api.ts";
import { GrowthChart } from "../growth-chart.tsx";
import { type Answer, Command, Failure, Shown, TrailLink, useVerb } from "../parts.tsx";
import { Table } from "../table.tsx";
import type { View } from "../shell.tsx";
import type { Answers } from "../shapes.ts";
import { asList, bytes, countWords } from "../words.ts";
import { withStatus } from "../work-state.tsx";

type Used = Pick<Answers["usage"]["trails"][number], "checkpoints" | "bytes">;

const MOST_TRAILS = 15;

/** What the store holds, how it grew, what a prune would remove, and whether everything is as it was written. */
export const StoreView: View = () => {
  const answer = useVerb("usage");
  return (
    <>
      <h1>Store</h1>
      <Shown answer={answer}>
        {({ disk_bytes, trails, days }) => (
          <>
            <p>
              {bytes(disk_bytes)} on the disk,{" "}
              {countWords(
                trails.reduce((sum, each) => sum + each.checkpoints, 0),
                "checkpoint",
              )}{" "}
              in {countWords(trails.length, "trail")}. What several checkpoints share is stored once, and
              counts where it was first saved.
            </p>
            <div class="columns">
              <div>
                <h2>Growth</h2>
                {days.length > 1 ? (
                  <GrowthChart days={days} />
                ) : (
                  <p class="quiet">Everything was saved on {days[0]?.day}.</p>
                )}
                <h2>By trail</h2>
                {usedTable(
                  "Trail",
                  trails.slice(0, MOST_TRAILS).map((each) => [<TrailLink name={each.name} />, each]),
                )}
                {trails.length > MOST_TRAILS && (
                  <p class="quiet">and {countWords(trails.length - MOST_TRAILS, "smaller one")}</p>
                )}
              </div>
              <div>
                <h2>By kind</h2>
                {usedTable("Kind", kindsOf(trails))}
                <Prune />
                <Verify />
                <Services />
              </div>
            </div>
          </>
        )}
      </Shown>
    </>
  );
};

const KINDS: Readonly<Record<string, string>> = {
  session: "agent sessions",
  run: "runs",
  transcript: "transcripts",
  thread: "threads",
  progress: "progress files",
};

/** What trails are for is told by how their names begin. */
function kindsOf(trails: Answers["usage"]["trails"]): [ComponentChildren, Used][] {
  const kinds = new Map<string, Used>();
  for (const { name, ...used } of trails) {
    const kind = (name.includes("/") ? KINDS[name.slice(0, name.indexOf("/"))] : undefined) ?? "work";
    const known = kinds.get(kind) ?? { checkpoints: 0, bytes: 0 };
    kinds.set(kind, { checkpoints: known.checkpoints + used.checkpoints, bytes: known.bytes + used.bytes });
  }
  return [...kinds].toSorted(([, a], [, b]) => b.bytes - a.bytes);
}

const usedTable = (what: string, rows: readonly [ComponentChildren, Used][]) => (
  <Table
    columns={[what, "#Checkpoints", "#Size"]}
    rows={rows.map(([name, used]) => [name, used.checkpoints.toLocaleString(), bytes(used.bytes)])}
  />
);

/** Asks once when the button is pressed: both read much. */
function useOnce<Name extends keyof Answers>(name: Name, input: object) {
  const [state, setState] = useState<Answer<Answers[Name]> & { isBusy?: boolean }>({});
  const ask = () => {
    setState({ isBusy: true });
    verb(name, input).then(
      (result) => setState({ result }),
      (error: Error) => setState({ error }),
    );
  };
  return { ...state, ask };
}

function Prune() {
  const { isBusy, result, error, ask } = useOnce("prune", { all: true });
  const reasons = countBy(result?.kept.flatMap(({ reasons: all }) => all) ?? []);
  return (
    <section>
      <h2>What a prune would remove</h2>
      <button type="button" disabled={isBusy} onClick={ask}>
        {isBusy ? "Looking …" : "Preview"}
      </button>
      {error && <Failure error={error} />}
      {result && (
        <div role="status">
          <p>
            {countWords(result.removed.length, "checkpoint")} would go, {result.kept.length.toLocaleString()}{" "}
            would stay. Nothing was changed.
          </p>
          <ul class="small quiet">
            {[...countBy(result.removed.map(({ trail }) => trail))].slice(0, 10).map(([trail, count]) => (
              <li key={trail}>
                {count.toLocaleString()} of {trail}
              </li>
            ))}
            {[...reasons].map(([reason, count]) => (
              <li key={reason}>
                {count.toLocaleString()} stay: {reason}
              </li>
            ))}
          </ul>
          {result.removed.length > 0 && <Command text="checkpoint prune --all" />}
        </div>
      )}
    </section>
  );
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function Verify() {
  const { isBusy, result, error, ask } = useOnce("verify", {});
  return (
    <section>
      <h2>Is everything as it was written?</h2>
      <button type="button" disabled={isBusy} onClick={ask}>
        {isBusy ? "Reading every byte …" : "Verify"}
      </button>
      {error && <Failure error={error} />}
      {result && (
        <div role="status">
          {result.damage.length === 0 ? (
            <p class="good">
              Yes: {countWords(result.checkpoints, "checkpoint")} and {countWords(result.objects, "object")}{" "}
              match their hashes.
            </p>
          ) : (
            <>
              <ul class="bad">
                {result.damage.map(({ what }) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
              <Command text="checkpoint verify --repair" />
            </>
          )}
        </div>
      )}
    </section>
  );
}

/** Services as they were when the newest checkpoint was taken. */
function Services() {
  const { result } = useVerb("load");
  const services = asList(result?.state["dependencies"]);
  return (
    <section>
      <h2>Services, when last seen</h2>
      {services.length > 0 ? withStatus(services) : <p class="quiet">None is recorded.</p>}
    </section>
  );
}
