import { Ago, anyTrail, Badge, Command, Empty, Shown, useVerb } from "../parts.tsx";
import { List, Table } from "../table.tsx";
import type { Answers, View } from "../shapes.ts";
import { asLine, countWords, textOf } from "../words.ts";

/** How many of each kind are shown, the newest first. */
const MOST = 50;

type Report = Answers["governanceReport"];

/** Who may do what, what came of it, and whether the record is whole: all as the gate itself reads the ledger. */
export const AgentsView: View = () => {
  const answer = useVerb("governanceReport", { limit: MOST }, anyTrail);
  return (
    <Shown title="Agents and ledger" answer={answer}>
      {(report) => (report.is_governed ? <Governed report={report} /> : UNGOVERNED)}
    </Shown>
  );
};

const UNGOVERNED = (
  <Empty command="checkpoint authority init">
    This project is not governed: there is no ledger, and every agent may do everything. To begin:
  </Empty>
);

function Governed({ report }: { report: Report }) {
  return (
    <>
      <Verified />
      {report.problem && <p class="card bad">{report.problem}</p>}
      <Table
        title="Waits for a yes"
        columns={["Agent", "Action", "Why", "Command", "#When"]}
        rows={report.requests.map(({ id, agent, action, reasons, at }) => [
          agent,
          action,
          reasons.join("; "),
          <Command text={`checkpoint agent approve ${id}`} />,
          <Ago at={at} />,
        ])}
      />
      <Table
        title="Agents"
        columns={["Agent", "Tier", "#Actions", "#Clean since", "#Violations", "#Evidence", "#Last seen"]}
        rows={report.agents.map((each) => [
          each.agent,
          each.is_revoked ? <Badge status="revoked" /> : `T${each.tier}`,
          each.actions,
          each.clean_actions,
          <span class={each.violations > 0 ? "bad" : undefined}>{each.violations}</span>,
          each.evidence,
          <Ago at={each.last_seen} />,
        ])}
      />
      <Table
        title="Violations"
        columns={["Agent", "Rule", "What", "#When"]}
        rows={report.violations
          .toReversed()
          .map(({ agent, rule, action, what, at }) => [
            agent,
            <span class="bad">{rule}</span>,
            action ? `${action}: ${what}` : what,
            <Ago at={at} />,
          ])}
      />
      <Table
        title="Approvals that can still be used"
        columns={["Agent", "Action", "Expires", "#Given"]}
        rows={report.approvals.map(({ agent, action, expires, at }) => [
          agent,
          action,
          new Date(expires).toLocaleString(),
          <Ago at={at} />,
        ])}
      />
      <Table
        title="Evidence"
        columns={["Agent", "Action", "Result", "Digest", "#When"]}
        rows={report.evidence
          .toReversed()
          .map(({ agent, action, success, digest, at }) => [
            agent,
            action,
            <Badge status={success ? "ok" : "failed"} />,
            <code class="small">{digest.slice(0, 16)}</code>,
            <Ago at={at} />,
          ])}
      />
      <Ledger entries={report.entries} />
    </>
  );
}

/** Reads the whole ledger, once for each time that the view is opened. */
function Verified() {
  const { result } = useVerb("governanceReport", { limit: 1, verify: true });
  if (!result?.verified) return <p class="quiet">Reading the ledger …</p>;
  const { authority, verified } = result;
  const { problem, forged, entries, covered, limits } = verified;
  const isWhole = problem === undefined && forged.length === 0;
  return (
    <div class={`card edge ${isWhole ? "good" : "bad"}`} role="status">
      <p class={isWhole ? "good" : "bad"}>
        {isWhole
          ? `✓ The ledger is intact: ${countWords(entries, "entry", "entries")} read just now, signed up to ${covered}.`
          : `✕ The ledger was changed${problem ? ` at entry ${placeOf(problem.entry, problem.trail)}: ${problem.what}` : ""}`}
      </p>
      <List
        items={forged.map(
          ({ number, trail, agent, what }) => `Entry ${placeOf(number, trail)} by ${agent}: ${what}`,
        )}
      />
      <p class="quiet small">{limits}</p>
      <p class="quiet small">
        Authority: <code>{authority.join(", ") || "none"}</code>
      </p>
    </div>
  );
}

/** An entry's number in its chain. */
const placeOf = (number: number, trail?: string) => (trail === undefined ? number : `${number} of ${trail}`);

const pairWords = (entry: object) =>
  Object.entries(entry)
    .map(([name, value]) => `${name} ${asLine(value)}`)
    .join(", ");

function Ledger({ entries }: { entries: number }) {
  const { result = [] } = useVerb("ledger", { limit: MOST });
  return (
    <Table
      title={`Ledger: the newest of ${countWords(entries, "entry", "entries")}`}
      columns={["Number", "When", "Who", "What", "Details"]}
      rows={result.toReversed().map(({ number, trail, entry, problem }) => {
        const { type, at, agent, ...rest } = entry as Record<string, unknown>;
        return [
          placeOf(number, trail),
          <Ago at={textOf({ at }, "at")} />,
          asLine(agent ?? ""),
          <span class={type === "violation" ? "bad" : undefined}>{asLine(type ?? "")}</span>,
          <span class="mono small">{problem ?? pairWords(rest)}</span>,
        ];
      })}
    />
  );
}
