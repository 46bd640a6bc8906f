import { useMoves } from "../live.ts";
import { Ago, Badge, Command, Shown, useVerb } from "../parts.tsx";
import type { View } from "../shell.tsx";
import { textOf, words } from "../words.ts";

interface LedgerEntry {
  readonly number: number;
  readonly hash: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The newest are shown one by one. */
const MOST = 200;

/** Who did what with whose permission: the agents as the ledger tells of them, and its entries. */
export const AgentsView: View = () => {
  const moves = useMoves();
  const answer = useVerb<readonly LedgerEntry[]>("ledger", { limit: 1000 }, [moves]);
  return (
    <>
      <h1>Agents and ledger</h1>
      <Shown answer={answer}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="quiet">The ledger is empty: this project is not governed yet.</p>
          ) : (
            <>
              <h2>Agents</h2>
              <Agents entries={entries} />
              <h2>Ledger</h2>
              <p>
                {entries.length.toLocaleString()} entries; the newest is number {entries.at(-1)?.number}, with
                the hash <code>{entries.at(-1)?.hash.slice(0, 16)}</code>.{" "}
                <Command text="checkpoint ledger verify" />
              </p>
              <Entries entries={entries.toReversed().slice(0, MOST)} />
            </>
          )
        }
      </Shown>
    </>
  );
};

interface AgentFacts {
  tier: string;
  isRevoked: boolean;
  actions: number;
  violations: number;
  evidence: number;
  approvals: number;
  last: string | undefined;
}

/** Only counted: what an agent may do is decided by the gate, which reads the same entries. */
function factsOf(entries: readonly LedgerEntry[]): Map<string, AgentFacts> {
  const agents = new Map<string, AgentFacts>();
  for (const { entry } of entries) {
    const name = textOf(entry, "agent");
    const type = textOf(entry, "type");
    if (name === undefined || type === "seal" || type === "authority" || type === "policy") continue;
    const facts = agents.get(name) ?? {
      tier: "",
      isRevoked: false,
      actions: 0,
      violations: 0,
      evidence: 0,
      approvals: 0,
      last: undefined,
    };
    agents.set(name, facts);
    facts.last = textOf(entry, "at");
    facts.tier = textOf(entry, "to", "tier") ?? facts.tier;
    if (type === "revocation") facts.isRevoked = true;
    if (type === "restoration") facts.isRevoked = false;
    if (type === "action") facts.actions++;
    if (type === "violation") facts.violations++;
    if (type === "evidence") facts.evidence++;
    if (type === "approval") facts.approvals++;
  }
  return agents;
}

function Agents({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {["Agent", "Tier", "Actions", "Violations", "Evidence", "Approvals", "Last seen"].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...factsOf(entries)].map(([name, facts]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{facts.isRevoked ? <Badge status="revoked" /> : facts.tier && `T${facts.tier}`}</td>
              <td>{facts.actions}</td>
              <td class={facts.violations > 0 ? "bad" : undefined}>{facts.violations}</td>
              <td>{facts.evidence}</td>
              <td>{facts.approvals}</td>
              <td>
                <Ago at={facts.last} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entries({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {["Number", "When", "Who", "What", "Details"].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ number, entry }) => {
            const { type, at, agent, ...rest } = entry;
            return (
              <tr key={number}>
                <td>{number}</td>
                <td>
                  <Ago at={textOf({ at }, "at")} />
                </td>
                <td>{words(agent)}</td>
                <td class={type === "violation" ? "bad" : undefined}>{words(type)}</td>
                <td class="mono small">{words(rest)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
