import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { openProject, type Project } from "../workflow/support/project.ts";
import { AgentClient, type ConnectOptions, ERAS } from "./support/agent-client.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";

const SHIPPING = defineWorkflow({
  name: "shipping",
  steps: [
    { id: "plan", run: "printf one > plan.txt", outputs: ["plan.txt"] },
    { id: "ship", approve: "Ship it?\u{1b}[2J" },
    { id: "build", run: "cp plan.txt built.txt" },
  ],
});

let box: Sandbox;
let project: Project;
const open: AgentClient[] = [];
beforeEach(async () => {
  box = new Sandbox();
  project = await openProject(box.folder);
  await startRun(project, SHIPPING, { runId: "r" });
});
afterEach(async () => {
  for (const agent of open.splice(0)) await agent.close();
  box.remove();
});

interface Reply {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string>;
}

/** A client whose person gives these answers, one after the other. */
async function withPerson(options: ConnectOptions, ...replies: readonly (Reply | (() => Reply))[]) {
  const questions: string[] = [];
  const rest = [...replies];
  const agent = await AgentClient.inProcess(box, {
    ...options,
    capabilities: { elicitation: { form: {} } },
    prepare: (client) =>
      client.setRequestHandler("elicitation/create", async ({ params }) => {
        questions.push(params.message);
        const reply = rest.shift();
        if (reply === undefined) throw new Error("Nobody answers any more.");
        const { action, content = {} } = typeof reply === "function" ? reply() : reply;
        return { action, content };
      }),
  });
  open.push(agent);
  return { agent, questions };
}

const decisionOf = async () => stateOf(await readRun(project, "r"), "ship").decision;

describe.each(ERAS)("approve, with the %s protocol", (era) => {
  it("asks the person, and records what they say", async () => {
    const yes = { action: "accept", content: { decision: "approve", reason: "fine" } } as const;
    const { agent, questions } = await withPerson({ era }, yes);
    const { data, text } = await agent.call("approve", { run: "r" });
    expect(data).toEqual({
      run: "r",
      step: "ship",
      decided: true,
      approved: true,
      option: null,
      reason: "fine",
    });
    expect(text).toBe("The person approved step ship of r.");
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatch(/^Run r waits for your decision at step "ship":\n> Ship it\?/);
    expect(questions[0]).toMatch(/plan\.txt \([0-9a-f]{12}\)$/);
    expect(questions[0]).not.toContain("\u{1b}");
    expect(await decisionOf()).toMatchObject({
      approved: true,
      by: "person",
      identity: "asked by test-client",
      reason: "fine",
    });
    expect((await agent.call("approve", { run: "r" })).error).toMatchObject({ code: "conflict" });
  });

  it("records a rejection", async () => {
    const no = { action: "accept", content: { decision: "reject", reason: "not yet" } } as const;
    const { agent } = await withPerson({ era }, no);
    expect((await agent.call("approve", { run: "r", step: "ship" })).data).toMatchObject({
      approved: false,
      reason: "not yet",
    });
    expect(await decisionOf()).toMatchObject({ approved: false });
  });

  it.each(["decline", "cancel"] as const)("decides nothing when the person answers %s", async (action) => {
    const { agent } = await withPerson({ era }, { action });
    const { data, isError } = await agent.call("approve", { run: "r" });
    expect(isError).toBe(false);
    expect(data).toMatchObject({ decided: false, approved: null });
    expect(await decisionOf()).toBeUndefined();
  });

  it("is refused where the client cannot ask, and decides nothing", async () => {
    const agent = await AgentClient.inProcess(box, { era });
    open.push(agent);
    const { error } = await agent.call("approve", { run: "r" });
    expect(error).toMatchObject({ code: "refused", next: ["checkpoint runs show r"] });
    expect(error.message).toContain("needs a person's decision");
    expect(await decisionOf()).toBeUndefined();
  });

  it("takes no decision from the agent", async () => {
    const { agent, questions } = await withPerson({ era }, { action: "decline" });
    const forged = { run: "r", approved: true, decision: "approve" };
    expect((await agent.call("approve", forged)).error.code).toBe("usage");
    expect(questions).toEqual([]);
    expect(await decisionOf()).toBeUndefined();
  });

  it("asks again when the files have changed while the person looked", async () => {
    const yes: Reply = { action: "accept", content: { decision: "approve" } };
    const { agent, questions } = await withPerson(
      { era },
      () => {
        project.write("plan.txt", "two");
        return yes;
      },
      yes,
    );
    expect((await agent.call("approve", { run: "r" })).data).toMatchObject({ approved: true });
    expect(questions).toHaveLength(2);
    expect(questions[0]).not.toBe(questions[1]);
  });
});

it("takes no answer to a question that was never asked", async () => {
  const { agent, questions } = await withPerson({ era: "modern" }, { action: "decline" });
  const result = await agent.client.callTool({
    name: "approve",
    arguments: { run: "r" },
    inputResponses: { decision: { action: "accept", content: { decision: "approve" } } },
  } as never);
  expect(result.structuredContent).toMatchObject({ decided: false });
  expect(questions).toHaveLength(1);
  expect(await decisionOf()).toBeUndefined();
});

describe("runs", () => {
  it("are listed with how far each is, and planned without being changed", async () => {
    const agent = await AgentClient.inProcess(box);
    open.push(agent);
    const { data, text } = await agent.call("runs");
    expect(text).toBe("r  shipping  awaiting_approval  1/3  next: ship");
    expect(data["runs"]).toMatchObject([{ id: "r", status: "awaiting_approval", can_resume: true }]);
    const before = await project.cairn.store.head("run/r");
    const plan = await agent.call("resume_plan", { run: "r" });
    expect(plan.data).toMatchObject({ run_id: "r", completed: ["plan"], remaining: ["ship", "build"] });
    expect(plan.text).toContain("ask  ship: waits for a decision");
    expect(await project.cairn.store.head("run/r")).toBe(before);
  });
});
