import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Signer } from "../../src/capabilities/governance/keys/signature.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import { runReport } from "../../src/capabilities/workflow/verbs/run-report.ts";
import { defineWorkflow, openWorkflows } from "../../src/doors/library/workflow/index.ts";
import { forkRun } from "../../src/capabilities/workflow/runner/fork-run.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { Governed, refusedWith } from "./support/governed.ts";

const ASKING = defineWorkflow({ name: "ask", steps: [{ id: "ship", approve: "Ship it?" }] });
const POLICY = `actions:
  - { match: "answer.*", tier: 0, approvers: [lead, starter] }
  - { match: "work.deploy", tier: 1, approval: person }
  - { match: "*", tier: 1 }
`;

let box: Governed;
let starter: Record<string, string>;
let lead: Record<string, string>;
beforeEach(async () => {
  box = new Governed();
  await box.found();
  [starter, lead] = [await box.agent("starter", 2), await box.agent("lead", 1)];
  await startRun(await openRuns(box.as(undefined, starter), "create"), ASKING, { runId: "r" });
});
afterEach(() => box.remove());

const answer = (project: verbs.Project) =>
  refusedWith(() => verbs.answer(project, { run: "r", approved: true, reason: "looks good" }));
const accept = async () => {
  writeFileSync(join(box.folder, "cairn.policy.yaml"), POLICY);
  await verbs.policyAccept(
    box.as(),
    async () => box.signer as Signer,
    async () => true,
  );
};
const decision = async (run: string) => {
  await box.close();
  const { document } = await runReport(box.as(), { run });
  return (document.steps as { id: string; decision: unknown }[]).find(({ id }) => id === "ship")?.decision;
};
const violations = async () =>
  (await verbs.ledger(box.as(), { type: "violation" })).map(({ entry }) => [entry["agent"], entry["action"]]);

describe("a question of a run in a governed project", () => {
  it("is answered by a person, without a terminal or a tier, and is shown with who, when and why", async () => {
    expect(await answer(box.as())).toBe("allowed");
    expect(await violations()).toEqual([]);
    const entries = await verbs.ledger(box.as(), { type: "action", agent: "person" });
    expect(entries.at(-1)?.entry).toMatchObject({ action: "answer.run", tier: 0 });
    const { document } = await runReport(box.as(), { run: "r" });
    expect(document).toMatchObject({
      run: { started_by: "agent:starter" },
      steps: [{ id: "ship", decision: { approved: true, reason: "looks good", at: expect.any(String) } }],
    });
    expect((await verbs.verify(box.as(), {})).unrecorded).toEqual([]);
  });

  it("is answered by a person at any tier, whatever tier the policy asks of the agents that it names", async () => {
    writeFileSync(
      join(box.folder, "cairn.policy.yaml"),
      POLICY.replace('match: "answer.*", tier: 0', 'match: "answer.*", tier: 2'),
    );
    await verbs.policyAccept(
      box.as(),
      async () => box.signer as Signer,
      async () => true,
    );
    expect(await answer(box.as())).toBe("allowed");
    expect(await violations()).toEqual([]);
  });

  it("is not answered by an agent, whatever its tier", async () => {
    expect(await answer(box.as(undefined, starter))).toBe("refused");
    expect(await answer(box.as(undefined, lead))).toBe("refused");
    expect(await violations()).toEqual([
      ["starter", "answer.run"],
      ["lead", "answer.run"],
    ]);
  });

  it("is answered by an agent that the policy names and that shows its token, but never by the one that started it", async () => {
    await accept();
    expect(await answer(box.as("lead"))).toBe("refused");
    expect(await answer(box.as(undefined, starter))).toBe("refused");
    expect(await answer(box.as(undefined, lead))).toBe("allowed");
  });

  it("is recorded as the agent's that answers it, whatever name it gives", async () => {
    await accept();
    const by = "The boss";
    await verbs.answer(box.as(undefined, lead), { run: "r", approved: true, by });
    expect(await decision("r")).toMatchObject({ by: "agent:lead" });
    await startRun(await openRuns(box.as(undefined, starter), "create"), ASKING, { runId: "s" });
    const workflows = await openWorkflows({
      path: join(box.folder, ".cairn"),
      env: { ...box.env, ...lead },
      now: () => new Date(),
    });
    await workflows.decide("s", { approved: true, by, identity: "given" });
    expect(await decision("s")).toMatchObject({ by: "agent:lead" });
    await workflows.run(ASKING, {
      runId: "own",
      onApproval: async () => ({ approved: true, by, identity: "given" }),
    });
    await workflows.close();
    expect(await decision("own")).toBeNull();
  });

  it("is not answered by the agent that forked the run, whoever started it", async () => {
    await accept();
    const runs = await openRuns(box.as(undefined, lead), "write");
    const { run } = await forkRun(runs, "r", { after: 0 });
    await resumeRun(runs, run.id);
    const answering = () => verbs.answer(box.as(undefined, lead), { run: run.id, approved: true });
    expect(await refusedWith(answering)).toBe("refused");
  });

  it("is offered only to those who may answer it", async () => {
    const offered = async (project: verbs.Project) => {
      await verbs.now(project, {});
      const { status } = await verbs.status(project, {});
      const { refused } = await verbs.questions(project, { run: "r" });
      return [status.runs_waiting.map(({ command }) => command), refused];
    };
    expect(await offered(box.as())).toEqual([["checkpoint approve r"], null]);
    expect(await offered(box.as(undefined, starter))).toEqual([
      ["checkpoint runs show r"],
      "starter asked for it, and a person answers",
    ]);
  });
});

describe("a request of an agent", () => {
  const ask = async () => {
    await accept();
    const { request } = await verbs.gate(box.as(undefined, lead), { action: "work.deploy" });
    return request as string;
  };
  const approve = (project: verbs.Project, request: string) =>
    refusedWith(() => verbs.agentApprove(project, request, () => Promise.reject(new Error("no key"))));

  it("is not approved by the agent that asked, even where the policy names it", async () => {
    const request = await ask();
    expect(await approve(box.as(undefined, lead), request)).toBe("refused");
    expect(await approve(box.as("stranger"), request)).toBe("refused");
    expect(await approve(box.as(undefined, { CLAUDECODE: "1" }), request)).toBe("refused");
  });

  it("is approved by a person, whose name is in the ledger", async () => {
    const request = await ask();
    expect(await approve(box.as(), request)).toBe("allowed");
    const [entry] = await verbs.ledger(box.as(), { type: "approval" });
    expect(entry?.entry).toMatchObject({ agent: "lead", request, by: "person" });
    expect(await verbs.gate(box.as(undefined, lead), { action: "work.deploy" })).toMatchObject({
      decision: "allow",
    });
  });
});

describe("a request that only the authority can approve", () => {
  it("is not approved by an agent that has the key, by its name or by that of its client", async () => {
    const signing = async () => box.signer as Signer;
    const { request = "" } = await verbs.gate(box.as(undefined, lead), { action: "infra.terraform.apply" });
    const approve = (project: verbs.Project) =>
      refusedWith(() => verbs.agentApprove(project, request, signing));
    expect(await approve(box.as(undefined, lead))).toBe("refused");
    expect(await approve(box.as(undefined, starter))).toBe("refused");
    expect(await approve(box.as(undefined, { CLAUDECODE: "1" }))).toBe("refused");
    expect(await approve(box.as())).toBe("allowed");
  });
});

const hasNoScript = spawnSync("script", ["--version"]).status !== 0;

describe("the shell of an agent client", () => {
  const cli = new Sandbox();
  afterEach(() => cli.remove());

  it.skipIf(hasNoScript)("needs a terminal to answer, and takes one for a person", async () => {
    await box.close();
    const env = { HOME: box.home, PATH: process.env["PATH"] ?? "", CLAUDECODE: "1" };
    const refused = cli.run(["approve", "r"], { cwd: box.folder, env });
    expect(refused).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("from the shell of Claude Code that needs a terminal"),
    });
    const argv = cli.argv(["approve", "r"]).join(" ");
    const { stdout } = spawnSync("script", ["-qec", argv, "/dev/null"], {
      cwd: box.folder,
      env,
      encoding: "utf8",
    });
    expect(stdout).toContain("approved");
  });

  it.skipIf(hasNoScript)(
    "records what an agent types into the question of a run as that agent's",
    async () => {
      await accept();
      await box.close();
      const env = { HOME: box.home, PATH: process.env["PATH"] ?? "", TERM: "xterm", ...lead };
      const argv = cli.argv(["resume", "r"]).join(" ");
      const child = spawn("script", ["-qec", argv, "/dev/null"], { cwd: box.folder, env });
      let printed = "";
      child.stdout.on("data", (chunk) => {
        const isAsked = printed.includes("  > ");
        printed += String(chunk);
        if (!isAsked && printed.includes("  > ")) child.stdin.write("y\r");
      });
      await once(child, "close");
      expect(await decision("r")).toMatchObject({ approved: true, by: "agent:lead" });
      const entries = await verbs.ledger(box.as(), { type: "action", agent: "lead" });
      expect(entries.map(({ entry }) => entry["action"])).toContain("answer.run");
    },
  );

  it.skipIf(process.platform !== "linux")(
    "is known by its process where its variables were taken away",
    async () => {
      await box.close();
      // A shell that is called as the client is.
      const client = join(box.home, "claude");
      symlinkSync("/bin/bash", client);
      const env = { HOME: box.home, PATH: process.env["PATH"] ?? "" };
      const child = spawn(client, ["-c", `${cli.realCommandLine()} approve r; true`], {
        cwd: box.folder,
        env,
      });
      let printed = "";
      child.stderr.on("data", (chunk) => (printed += String(chunk)));
      await once(child, "close");
      expect(printed).toContain("from the shell of Claude Code that needs a terminal");
    },
  );
});
