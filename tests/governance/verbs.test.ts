import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeAuthorityKey, openAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { signStatement } from "../../src/capabilities/governance/gate/authority.ts";
import { Ledger } from "../../src/capabilities/governance/ledger/ledger.ts";
import * as agents from "../../src/capabilities/governance/verbs/agents.ts";
import * as authority from "../../src/capabilities/governance/verbs/authority.ts";
import * as ledgers from "../../src/capabilities/governance/verbs/ledger.ts";
import { exec } from "../../src/capabilities/governance/verbs/exec.ts";
import { openGovernance } from "../../src/capabilities/governance/project-gate/open-governance.ts";
import * as policies from "../../src/capabilities/governance/verbs/policy.ts";
import { gate } from "../../src/capabilities/governance/project-gate/preflight.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { loadWorkflow } from "../../src/capabilities/workflow/definition/load-workflow.ts";
import { Governed, PASSPHRASE, refusedWith } from "./support/governed.ts";

let box: Governed;
beforeEach(() => {
  box = new Governed();
});
afterEach(() => box.remove());

const entriesOf = (type: string) =>
  ledgers.ledger(box.as(), { type }).then((found) => found.map(({ entry }) => entry));

describe("a verb in a governed project", () => {
  it("writes its entry in the same commit, with the checkpoint that it saved", async () => {
    const { checkpoint } = await verbs.now(box.as("bot"), { notes: "hello" });
    expect(await entriesOf("action")).toMatchObject([
      {
        agent: "bot",
        tier: 0,
        attested: false,
        action: "save",
        trail: "main",
        checkpoint: checkpoint?.content_hash,
      },
    ]);
    expect(checkpoint).toMatchObject({ agent_id: "bot", agent_tier: 0 });
  });

  it("saves nothing that is refused, and records the violation", async () => {
    expect(await refusedWith(() => verbs.goal(box.as("bot"), { goal: "Ship it" }))).toBe("refused");
    const trails = await verbs.trails(box.as(), {});
    expect(trails.map(({ name }) => name)).toEqual(["cairn/governance"]);
    expect(await entriesOf("violation")).toMatchObject([
      { agent: "bot", rule: "denied", action: "work.change" },
    ]);
  });

  it("records the ledger's tier, not the one that is claimed", async () => {
    const { checkpoint } = await verbs.now(box.as("bot", { CHECKPOINT_TIER: "4" }), {});
    expect(checkpoint?.agent_tier).toBe(0);
    expect(await entriesOf("violation")).toMatchObject([{ agent: "bot", rule: "claimed-tier" }]);
  });

  it("keeps tasks in the ledger, and `now` shows an agent its own of other trails, and the ledger itself", async () => {
    await box.found();
    const bot = await box.agent("bot", 1);
    await verbs.taskAdd(box.as("bot", bot), { subject: "Write the test" });
    await verbs.taskStatus(box.as("bot", bot), { id: "1", status: "in_progress" });
    expect((await entriesOf("task")).map(({ task, status }) => [task, status])).toEqual([
      ["1", "pending"],
      ["1", "in_progress"],
    ]);
    const { state } = await verbs.now(box.as("bot", bot), { trail: "other" });
    expect(state.tasks).toMatchObject([
      { id: "main#1", subject: "Write the test", status: "in_progress", owner: "bot" },
    ]);
    expect(state.dependencies).toMatchObject([{ name: "ledger", status: "available" }]);
    await verbs.taskStatus(box.as("bot", bot), { id: "1", status: "completed" });
    const after = await verbs.now(box.as("bot", bot), { trail: "other" });
    expect(after.state.tasks).toEqual([]);
    expect(await entriesOf("task")).toHaveLength(3);
  });

  it("shows what happened to people with a SQL shell", async () => {
    await verbs.now(box.as("bot"), {});
    await box.close();
    const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    expect(db.prepare("SELECT agent, action FROM agent_actions").all()).toMatchObject([
      { agent: "bot", action: "save" },
    ]);
    db.close();
  });

  it("stops at its budget", async () => {
    await box.found();
    writeFileSync(
      join(box.folder, "cairn.policy.yaml"),
      'actions: [{ match: "*", tier: 0 }]\nbudget_per_hour: [3, 3, 3, 3, 3]\n',
    );
    await policies.policyAccept(
      box.as(),
      async () => box.signer as never,
      async () => true,
    );
    for (let i = 0; i < 3; i++) await verbs.now(box.as("bot"), {});
    await expect(verbs.now(box.as("bot"), {})).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("3 actions of this hour"),
    });
  });

  it("gets no new budget, and no expired approval back, from a clock that is set back", async () => {
    const signing = async () => box.signer as never;
    await box.found();
    writeFileSync(
      join(box.folder, "cairn.policy.yaml"),
      'actions: [{ match: "x", tier: 0, approval: authority }, { match: "*", tier: 0 }]\nbudget_per_hour: [3, 3, 3, 3, 3]\n',
    );
    await policies.policyAccept(box.as(), signing, async () => true);
    const { request } = await gate(box.as("bot"), { action: "x" });
    await agents.agentApprove(box.as(), request as string, signing);
    expect(await gate(box.as("bot"), { action: "x" })).toMatchObject({ decision: "allow" });
    const start = Date.now();
    const at = (hours: number) => (box.now = () => new Date(start + hours * 3_600_000));
    const save = () => refusedWith(() => verbs.now(box.as("bot"), {}));
    at(30);
    for (let i = 0; i < 3; i++) expect(await save()).toBe("allowed");
    for (const hours of [30, 29, 0, -1000, 29]) {
      at(hours);
      expect(await save()).toBe("refused");
    }
    expect((await gate(box.as("bot"), { action: "x" })).decision).toBe("deny");
    // The authority puts right what a clock that was ahead has left behind.
    at(0);
    await agents.agentPromote(box.as(), { agent: "bot", to: 1 }, signing);
    expect(await save()).toBe("allowed");
    expect((await gate(box.as("bot"), { action: "x" })).decision).toBe("ask");
    await box.close();
    expect((await ledgers.ledgerVerify(box.as(), [])).problem).toBeFalsy();
  });

  it("starts from the newest seal, with the same result as from the first entry", async () => {
    const project = box.as("bot");
    for (let i = 0; i < 230; i++) await verbs.now(project, { variables: { i: String(i) } });
    await box.close();
    const { ledger } = await openGovernance(box.as());
    const seals = await entriesOf("seal");
    expect(seals.length).toBeGreaterThanOrEqual(2);
    expect(ledger.state.sealed).toBeGreaterThan(200);
    const { id } = await ledger.store.identity();
    const whole = await Ledger.open(ledger.store, {
      now: ledger.now,
      owner: { ...box.owner, env: { XDG_STATE_HOME: join(box.home, "other") } },
    });
    expect(whole.storeId).toBe(id);
    expect(whole.state).toEqual(ledger.state);
  });

  it("decides two that race for one approval in favour of one", async () => {
    await box.found();
    const bot = await box.agent("bot", 1);
    const question = { action: "infra.x" };
    const asked = await gate(box.as("bot", bot), question);
    await agents.agentApprove(box.as(), asked.request as string, async () => box.signer as never);
    const act = async () => {
      const project = box.as("bot", bot);
      const governance = await openGovernance(project);
      const { preflight } = await import("../../src/capabilities/governance/project-gate/preflight.ts");
      await governance.act(await preflight(project, governance, question));
    };
    const results = await Promise.all([1, 2, 3, 4].map(() => refusedWith(act)));
    expect(results.toSorted()).toEqual(["allowed", "refused", "refused", "refused"]);
  });
});

describe("the authority", () => {
  it("opens with its passphrase alone, and rotates: what the old key signed stays good", async () => {
    await box.found();
    const { keys } = await authority.authorityShow(box.as());
    const first = String(keys[0]);
    expect(() => openAuthorityKey(box.owner, "wrong passphrase", first)).toThrow("does not open");
    expect(() => makeAuthorityKey(box.owner, "short")).toThrow("at least 12");
    await box.agent("a", 2);
    const old = openAuthorityKey(box.owner, PASSPHRASE, first);
    const report = await authority.authorityRotate(
      box.as(),
      async () => old,
      async () => {
        box.signer = makeAuthorityKey(box.owner, "another passphrase", { N: 1024, r: 8, p: 1 });
        return box.signer;
      },
    );
    expect(report.keys).toHaveLength(2);
    expect(await agents.agentShow(box.as(), "a")).toMatchObject({ tier: 2 });
    expect(
      await refusedWith(() => agents.agentPromote(box.as(), { agent: "a", to: 3 }, async () => old)),
    ).toBe("refused");
    await agents.agentPromote(box.as(), { agent: "a", to: 3 }, async () => box.signer as never);
    expect((await ledgers.ledgerVerify(box.as(), [])).problem).toBeUndefined();
  });

  it("signs elsewhere what was printed here", async () => {
    const signer = await box.found();
    await box.agent("a", 0);
    const { unsigned } = await agents.agentPromote(box.as(), { agent: "a", to: 2 }, () => undefined);
    const signed = await signStatement(unsigned as never, signer);
    await authority.authoritySubmit(box.as(), signed);
    expect(await agents.agentShow(box.as(), "a")).toMatchObject({ tier: 2 });
    expect(await refusedWith(() => authority.authoritySubmit(box.as(), signed))).toBe("refused");
  });

  it("restores who was revoked, and no second authority is made", async () => {
    await box.found();
    await box.agent("a", 2);
    await agents.agentRevoke(box.as(), { agent: "a", reason: "test" });
    const signing = async () => box.signer as never;
    expect(await refusedWith(() => agents.agentPromote(box.as(), { agent: "a", to: 3 }, signing))).toBe(
      "refused",
    );
    await agents.agentRestore(box.as(), { agent: "a", to: 1 }, signing);
    expect(await agents.agentShow(box.as(), "a")).toMatchObject({ tier: 1, is_revoked: false });
    expect(await refusedWith(() => authority.authorityInit(box.as(), signing))).toBe("refused");
  });

  it("accepts no policy that is none", async () => {
    await box.found();
    const signing = async () => box.signer as never;
    for (const text of [
      "",
      "actions: []",
      "actions: [{match: '*'}]",
      "actions: [{match: '*', tier: 9}]",
      "x: 1",
      "actions: [{match: '*', tier: 0, root: true}]",
      "- a",
      "a: [",
      'actions: [{match: "a b", tier: 1}]',
    ]) {
      writeFileSync(join(box.folder, "cairn.policy.yaml"), text);
      expect({
        text,
        got: await refusedWith(() => policies.policyAccept(box.as(), signing, async () => true)),
      }).toEqual({
        text,
        got: "usage",
      });
    }
  });
});

describe("the report of governance", () => {
  it("has agents with tiers, violations, evidence, requests, approvals, and what checking the ledger showed", async () => {
    expect(await verbs.governanceReport(box.as())).toMatchObject({ is_governed: false, agents: [] });
    await box.found();
    const bot = await box.agent("bot", 2);
    await refusedWith(() => verbs.prune(box.as("new"), { keep: 1 }));
    await refusedWith(() => verbs.goal(box.as("new"), { goal: "Ship it" }));
    const asked = await gate(box.as("bot", bot), { action: "infra.one" });
    await gate(box.as("bot", bot), { action: "infra.two" });
    await agents.agentApprove(box.as(), asked.request as string, async () => box.signer as never);
    const streams = { out: () => {}, err: () => {}, onSignal: () => () => {} };
    const { evidence } = await exec(box.as("bot", bot), { argv: ["true"], cwd: box.folder, ...streams });
    const report = await verbs.governanceReport(box.as(), { verify: true });
    expect(report).toMatchObject({
      is_governed: true,
      agents: [
        { agent: "bot", tier: 2, is_registered: true, evidence: 1, last_seen: expect.any(String) },
        { agent: "new", tier: 0, is_registered: false, violations: 1 },
      ],
      violations: [{ agent: "new", rule: "denied", action: "work.change" }],
      evidence: [{ id: evidence, agent: "bot", action: "exec.true", success: true }],
      requests: [{ agent: "bot", action: "infra.two", needs_authority: true }],
      approvals: [{ request: asked.request, agent: "bot", action: "infra.one" }],
      verified: { entries: report.entries, forged: [] },
      problem: null,
    });
    expect(JSON.stringify(report)).not.toContain(bot["CHECKPOINT_AGENT_TOKEN"]);
  });

  it("says what is wrong with a ledger that the gate refuses, and lists what came before", async () => {
    await refusedWith(() => verbs.goal(box.as("new"), { goal: "Ship it" }));
    await verbs.now(box.as("new"), {});
    await box.close();
    const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    db.exec(
      "UPDATE log SET entry = replace(entry, 'save', 'load') WHERE number = (SELECT max(number) FROM log)",
    );
    db.close();
    const report = await verbs.governanceReport(box.as(), { verify: true });
    expect(report).toMatchObject({
      agents: [],
      violations: [{ agent: "new" }],
      verified: { problem: { entry: 2 } },
      problem: expect.any(String),
    });
  });
});

describe("a step of a run", () => {
  it("starts only if the gate allows its action", async () => {
    await box.found();
    const runner = await box.agent("runner", 2);
    writeFileSync(
      join(box.folder, "w.yaml"),
      "name: w\nsteps:\n  - { id: free, run: 'true', action: exec.true }\n  - { id: bound, run: touch CANARY, action: infra.deploy, needs: [free] }\n",
    );
    const project = box.as("runner", runner);
    const context = await openRuns(project, "create");
    const run = await startRun(context, await loadWorkflow("w.yaml", { cwd: box.folder }), {});
    expect(run.status).toBe("failed");
    expect((await entriesOf("action")).map(({ action }) => action)).toContain("exec.true");
    expect(await entriesOf("request")).toMatchObject([{ agent: "runner", action: "infra.deploy" }]);
    expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
  });
});
