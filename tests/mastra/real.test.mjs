// The storage of workflows with the real Mastra: its own engine suspends, resumes and continues from what is stored.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { InMemoryStore } from "@mastra/core/storage";
import { openCairn } from "cairn-checkpoint";
import { CairnWorkflows } from "cairn-checkpoint/mastra";
import { openMemoryStore } from "cairn-checkpoint/store";
import { open, PAYLOAD } from "./support/workflow.mjs";

const PROGRAM = join(import.meta.dirname, "support/workflow.mjs");
const WORKFLOW = "publish";

async function started(workflow) {
  const run = await workflow.createRun();
  const { status } = await run.start({ inputData: { text: PAYLOAD } });
  return { runId: run.runId, status };
}

async function withCairn(body) {
  const cairn = await openCairn({ store: await openMemoryStore() });
  try {
    await body(cairn, new CairnWorkflows(cairn));
  } finally {
    await cairn.close();
  }
}

await test("a run that was killed while it waited is resumed by another process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-mastra-"));
  const path = join(folder, ".cairn");
  const child = spawn(process.execPath, [PROGRAM, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
  const cairn = await openCairn({ path });
  const { workflow, workflows } = open(cairn);
  const [waiting] = (await workflows.listWorkflowRuns({ status: "suspended" })).runs;
  assert.equal(waiting.workflowName, WORKFLOW);
  const run = await workflow.createRun({ runId: waiting.runId });
  const result = await run.resume({ step: "ask", resumeData: { yes: true } });
  assert.deepEqual([result.status, result.result], ["success", { published: true, size: PAYLOAD.length }]);
  const { snapshot } = await workflows.getWorkflowRunById({ runId: waiting.runId });
  assert.equal(snapshot.status, "success");
  assert.deepEqual((await cairn.store.verify()).damage, []);
  await cairn.close();
  rmSync(folder, { recursive: true });
});

await test("what a run repeats is stored once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-mastra-"));
  const cairn = await openCairn({ path: folder });
  const { workflow, workflows } = open(cairn);
  const { runId, ...run } = await started(workflow);
  assert.equal(run.status, "suspended");
  const saved = await cairn.store.history(`mastra/${WORKFLOW}/${runId}`);
  assert.ok(saved.length > 2);
  const snapshot = JSON.stringify(await workflows.loadWorkflowSnapshot({ workflowName: WORKFLOW, runId }));
  assert.ok(snapshot.split(PAYLOAD).length > 4, "the workflow repeats its payload");
  await cairn.close();
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`${saved.length} snapshots, the last of ${snapshot.length} characters: ${bytes} bytes`);
  assert.ok(bytes < 3 * PAYLOAD.length);
  rmSync(folder, { recursive: true });
});

await test("answers what Mastra's own store answers", async () => {
  const snapshot = (runId, status, threadId) => ({
    runId,
    status,
    value: {},
    context: { input: { messageListState: { memoryInfo: { threadId } } } },
    serializedStepGraph: [],
    activePaths: [],
    activeStepsPath: {},
    suspendedPaths: {},
    resumeLabels: {},
    waitingPaths: {},
    timestamp: 1,
  });
  const at = (day) => new Date(Date.UTC(2026, 0, day));
  const ask = async (workflows) => {
    const answers = [];
    const tell = async (promise) => answers.push(await promise.catch((error) => error.message));
    for (let day = 1; day <= 6; day++)
      await workflows.persistWorkflowSnapshot({
        workflowName: day % 2 ? "odd" : "even/one ~",
        runId: `r${day}`,
        ...(day > 2 && { resourceId: `user${day % 3}` }),
        snapshot: snapshot(`r${day}`, day < 4 ? "running" : "suspended", `t${day % 2}`),
        createdAt: at(day),
        updatedAt: at(day),
      });
    const own = { workflowName: "odd", runId: "r1" };
    const none = { workflowName: "odd", runId: "r2" };
    const step = { stepId: "s", result: { status: "success", output: [1] }, requestContext: { who: "me" } };
    await tell(workflows.updateWorkflowResults({ ...own, ...step }));
    await tell(
      workflows.updateWorkflowState({ ...own, opts: { status: "failed", expectedStatus: "paused" } }),
    );
    await tell(workflows.loadWorkflowSnapshot(own));
    await tell(
      workflows.updateWorkflowState({ ...own, opts: { status: "failed", expectedStatus: ["running"] } }),
    );
    await tell(workflows.updateWorkflowState({ ...none, opts: { status: "failed" } }));
    await tell(workflows.loadWorkflowSnapshot(none));
    await tell(workflows.getWorkflowRunById({ runId: "nobody" }));
    for (const filter of [
      undefined,
      { workflowName: "even/one ~" },
      { status: "suspended" },
      { fromDate: at(2), toDate: at(4) },
      { resourceId: "user0" },
      { threadId: "t1" },
      { perPage: 2, page: 1 },
      { perPage: false, page: 0 },
      { page: -1 },
    ]) {
      const found = await workflows.listWorkflowRuns(filter).catch((error) => error.message);
      answers.push(
        found.runs
          ? {
              ...found,
              runs: found.runs.map((run) => [
                run.workflowName,
                run.runId,
                run.resourceId,
                run.createdAt,
                run.snapshot,
              ]),
            }
          : found,
      );
    }
    await workflows.deleteWorkflowRunById(own);
    await tell(workflows.loadWorkflowSnapshot(own));
    await workflows.persistWorkflowSnapshot({ ...own, snapshot: snapshot("r1", "running") });
    await tell(workflows.loadWorkflowSnapshot(own).then(({ status }) => status));
    const { createdAt } = await workflows.getWorkflowRunById({ runId: "r4" });
    answers.push(createdAt);
    await workflows.dangerouslyClearAll();
    await tell(workflows.listWorkflowRuns());
    return answers.map((answer) => JSON.parse(JSON.stringify(answer ?? "nothing")));
  };
  const expected = await ask(await new InMemoryStore().getStore("workflows"));
  await withCairn(async (cairn, workflows) => assert.deepEqual(await ask(workflows), expected));
});

await test("steps that end at once, in two writers, all keep their results", () =>
  withCairn(async (cairn, workflows) => {
    const address = { workflowName: WORKFLOW, runId: "r" };
    const writers = [workflows, new CairnWorkflows(cairn)];
    const ids = Array.from({ length: 40 }, (_, at) => `step${at}`);
    await Promise.all(
      ids.map((stepId, at) =>
        writers[at % 2].updateWorkflowResults({
          ...address,
          stepId,
          result: { status: "success", output: at },
          requestContext: {},
        }),
      ),
    );
    const { context } = await workflows.loadWorkflowSnapshot(address);
    assert.deepEqual(Object.keys(context).toSorted(), ids.toSorted());
  }));
