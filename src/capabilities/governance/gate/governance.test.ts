import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Cairn } from "../../../work/state/cairn.ts";
import { openMemoryStore } from "../../../core/store/sqlite.ts";
import { makeAuthorityKey } from "../keys/authority-file.ts";
import { Ledger } from "../ledger/ledger.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { establishAuthority, decree } from "./authority.ts";
import { findAgent, lowerAgent, promotion, registerAgent } from "./agents.ts";
import { Governance, type Admission } from "./governance.ts";

const LIGHT = { N: 2 ** 10, r: 8, p: 1 };

async function open() {
  const owner = { env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "gov-")) }, userId: process.geteuid?.() };
  const store = await openMemoryStore();
  const ledger = await Ledger.open(store, { owner, now: () => new Date() });
  return { governance: new Governance(ledger), store, ledger, owner };
}

const asking = (action: string, claimant: Admission["claimant"]): Admission => ({
  claimant,
  question: { action },
});

describe("the gate", () => {
  it("lets a new agent save, records it in the same commit, and promotes it by rule", async () => {
    const { governance, store, ledger } = await open();
    const trail = new Cairn(governance.governed(asking("save", { agent: "a" })), ledger.now).trail("main");
    for (let i = 0; i < 11; i++) await trail.commit((s) => void (s.variables["i"] = i));
    await ledger.refresh();
    expect(findAgent(governance, "a")).toMatchObject({ tier: 1, actions: 11, violations: 0 });
    const log = await store.readLog();
    expect(log.map(({ entry }) => entry["type"])).toContain("promotion");
    expect((await verifyLedger(store, ledger.trust)).problem).toBeUndefined();
  });

  it("refuses what the tier does not allow, and records the violation", async () => {
    const { governance, store, ledger } = await open();
    const trail = new Cairn(governance.governed(asking("exec.npm", { agent: "a" })), ledger.now).trail(
      "main",
    );
    await expect(trail.commit((s) => void (s.variables["x"] = 1))).rejects.toMatchObject({ code: "refused" });
    expect(await store.head("main")).toBeUndefined();
    expect(findAgent(governance, "a")).toMatchObject({ tier: 0, violations: 1 });
  });

  it("raises above T1 only by the authority, for who shows the token, until revoked", async () => {
    const { governance, store, ledger, owner } = await open();
    const signer = makeAuthorityKey(owner, "correct horse battery", LIGHT);
    await establishAuthority(governance, signer, undefined);
    const person = asking("agent.register", {});
    const { token } = await registerAgent(governance, person, "a");
    await ledger.refresh();
    await decree(governance, promotion(governance, "a", 2), signer);
    const ask = (claimant: Admission["claimant"]) => governance.ask(asking("exec.npm", claimant));
    expect(await ask({ agent: "a", token })).toMatchObject({ decision: "allow", tier: 2, attested: true });
    expect(await ask({ agent: "a" })).toMatchObject({ decision: "deny", tier: 1, attested: false });
    await lowerAgent(governance, asking("agent.revoke", {}), { agent: "a", reason: "test" });
    expect(await ask({ agent: "a", token })).toMatchObject({ decision: "deny" });
    const other = await Ledger.open(store, { owner, now: ledger.now });
    expect(other.state).toEqual(ledger.state);
  });

  it("counts each entry once, however many read the ledger or write to it at once", async () => {
    const { governance, store, ledger, owner } = await open();
    const elsewhere = new Governance(await Ledger.open(store, { owner, now: ledger.now }));
    const act = (gate: Governance) => gate.act(asking("save", { agent: "a" }));
    await act(elsewhere);
    await Promise.all([ledger.refresh(), ledger.refresh()]);
    expect(ledger.state.agents["a"]?.actions).toBe(1);
    await Promise.all([act(governance), act(elsewhere), ledger.refresh(), act(governance), act(elsewhere)]);
    await Promise.all([ledger.refresh(), elsewhere.ledger.refresh()]);
    expect(ledger.state.agents["a"]?.actions).toBe(5);
    expect(elsewhere.ledger.state).toEqual(ledger.state);
    expect(elsewhere.ledger.tail).toEqual(ledger.tail);
  });
});
