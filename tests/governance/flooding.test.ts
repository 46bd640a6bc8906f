import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { openGovernance } from "../../src/capabilities/governance/project-gate/open-governance.ts";
import { answererOf } from "../../src/work/project/answering.ts";
import { answerAdmission } from "../../src/capabilities/governance/project-gate/governed-cairn.ts";
import { preflight } from "../../src/capabilities/governance/project-gate/preflight.ts";
import { Governed, refusedWith } from "./support/governed.ts";

let box: Governed;
beforeEach(() => {
  box = new Governed();
  const noon = new Date("2026-01-23T12:00:00Z");
  box.now = () => noon;
});
afterEach(() => box.remove());

/** What the gate is asked many times, quickly: by one process, as one of them would ask. */
async function gateOf(project: verbs.Project) {
  const governance = await openGovernance(project, "create");
  return async (action: string) => governance.act(await preflight(project, governance, { action }));
}
const entries = async (type: string) => verbs.ledger(box.as(), { type });

describe("an hour's budget", () => {
  it("does not keep anybody from revoking, answering and looking, and none of that uses it up", async () => {
    await verbs.agentRegister(box.as(), "bot");
    const act = await gateOf(box.as());
    for (let i = 0; i < 599; i++) await act("save");
    expect(await refusedWith(() => verbs.now(box.as(), {}))).toBe("refused");
    expect(await refusedWith(() => verbs.agentRevoke(box.as(), { agent: "bot", reason: "test" }))).toBe(
      "allowed",
    );
    for (const action of ["look.around", "tool.read"]) await act(action);
    const governance = await openGovernance(box.as());
    const answerer = await answererOf(box.as());
    const admission = await answerAdmission(answerer, governance, { action: "answer.run", askers: [] });
    expect(await governance.ask(admission)).toMatchObject({ decision: "allow" });
    await governance.ledger.refresh();
    expect(governance.ledger.state.agents["person"]?.hour.used).toBe(600);
    expect((await verbs.ledgerVerify(box.as(), [])).problem).toBeUndefined();
  });
});

describe("what is refused", () => {
  it("is one entry, however often, and counted; an agent that acted in between is told of anew", async () => {
    await verbs.now(box.as("bot"), {});
    for (let i = 0; i < 50; i++)
      expect(await refusedWith(() => verbs.goal(box.as("bot"), { goal: "x" }))).toBe("refused");
    expect(await entries("violation")).toMatchObject([{ entry: { agent: "bot" }, refused_again: 49 }]);
    await verbs.now(box.as("bot"), { notes: "clean" });
    await refusedWith(() => verbs.goal(box.as("bot"), { goal: "x" }));
    expect((await entries("violation"))[1]).toMatchObject({ entry: { repeats: 49 } });
    expect(await verbs.agentShow(box.as(), "bot")).toMatchObject({ clean_actions: 0, violations: 2 });
    const later = new Date("2026-01-23T13:00:00Z");
    box.now = () => later;
    await refusedWith(() => verbs.goal(box.as("bot"), { goal: "x" }));
    expect(await entries("violation")).toHaveLength(3);
    expect((await verbs.ledgerVerify(box.as(), [])).problem).toBeUndefined();
  });

  it("of many names or in many ways shares an entry", async () => {
    for (let i = 0; i < 200; i++) {
      const project = box.as(`made-up-${i}`);
      await refusedWith(() => verbs.goal(project, { goal: "x" }));
      await box.close();
    }
    expect(await entries("violation")).toHaveLength(61);
    expect((await entries("violation")).at(-1)).toMatchObject({
      entry: { agent: "unknown" },
      refused_again: 139,
    });
    const act = await gateOf(box.as("made-up-0"));
    for (let i = 0; i < 100; i++) await refusedWith(() => act(`exec.tool-${i}`));
    expect((await entries("violation")).length).toBeLessThanOrEqual(82);
  });

  it("has names and reasons of a bounded size, with an error that says so", async () => {
    await verbs.agentRegister(box.as(), "bot");
    const before = (await verbs.ledger(box.as(), {})).length;
    for (const call of [
      () => verbs.now(box.as("x".repeat(100_000)), {}),
      () => verbs.gate(box.as("bot"), { action: `infra.${"x".repeat(100_000)}` }),
      () => verbs.agentRevoke(box.as(), { agent: "bot", reason: "x".repeat(100_000) }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("has at most"),
      });
    expect(await verbs.ledger(box.as(), {})).toHaveLength(before);
  });
});

describe("what is never rationed", () => {
  it("stays possible under a policy that forgets it", async () => {
    const signer = await box.found();
    await verbs.agentRegister(box.as(), "bot");
    writeFileSync(
      join(box.folder, "cairn.policy.yaml"),
      'actions: [{ match: "*", tier: 2 }]\nbudget_per_hour: [0, 0, 0, 0, 0]\n',
    );
    await verbs.policyAccept(
      box.as(),
      async () => signer,
      async () => true,
    );
    expect(await refusedWith(() => verbs.now(box.as(), {}))).toBe("refused");
    await verbs.agentRevoke(box.as(), { agent: "bot", reason: "test" });
    expect(await verbs.agentShow(box.as(), "bot")).toMatchObject({ is_revoked: true });
  });

  it("records no second revocation of the same agent", async () => {
    await verbs.agentRegister(box.as(), "bot");
    for (let i = 0; i < 20; i++)
      await verbs.agentRevoke(box.as("mallory"), { agent: "bot", reason: `${i} ${"x".repeat(1900)}` });
    expect(await entries("revocation")).toHaveLength(1);
    expect(await verbs.agentShow(box.as(), "bot")).toMatchObject({ is_revoked: true });
  });
});

describe("an open request", () => {
  it("is one entry, however often it is made, and whatever is claimed with it", async () => {
    for (let claim = 5; claim < 260; claim++) {
      const project = box.as("bot", { CHECKPOINT_TIER: `${claim}` });
      const governance = await openGovernance(project, "create");
      const asked = await preflight(project, governance, { action: "infra.mine" });
      expect(await refusedWith(() => governance.act(asked))).toBe("refused");
      await project.stores.close();
    }
    expect((await verbs.ledger(box.as(), {})).map(({ entry }) => entry["type"])).toEqual([
      "violation",
      "request",
    ]);
  });

  it("stays, whoever else asks without end, and the ledger stays small", async () => {
    await verbs.agentRegister(box.as(), "bot");
    const { request } = await verbs.gate(box.as("bot"), { action: "infra.mine" });
    for (let name = 0; name < 10; name++) {
      const project = box.as(`made-up-${name}`);
      for (let i = 0; i < 25; i++)
        await verbs.gate(project, { action: `infra.${name}-${i}-${"x".repeat(150)}` });
    }
    await box.close();
    const { ledger } = await openGovernance(box.as());
    expect(Object.keys(ledger.state.requests)).toContain(request);
    expect(Object.keys(ledger.state.requests).length).toBeLessThan(200);
    await box.close();
    expect(statSync(join(box.folder, ".cairn/store.sqlite")).size).toBeLessThan(2_000_000);
  });
});
