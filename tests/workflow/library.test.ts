import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openCairn } from "../../src/doors/library/index.ts";
import { defineWorkflow, openWorkflows } from "../../src/doors/library/workflow/index.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-library-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const workflow = defineWorkflow({
  name: "greet",
  steps: [
    { id: "write", run: 'printf "%s" "$HOME" > home.txt', outputs: ["home.txt"] },
    { id: "ask", approve: "Go on?" },
    { id: "count", run: ({ results }) => Object.keys(results).length },
  ],
});

describe("openWorkflows", () => {
  it("needs only the folder of the store: the project around it, this process and its environment", async () => {
    const workflows = await openWorkflows({ path: join(root, ".cairn") });
    const run = await workflows.run(workflow, { runId: "r" });
    expect(run).toMatchObject({
      status: "awaiting_approval",
      runner: { pid: process.pid, host: hostname() },
    });
    expect(readFileSync(join(root, "home.txt"), "utf8")).toBe(process.env["HOME"] ?? "");
    await workflows.close();

    const again = await openWorkflows({ path: join(root, ".cairn") });
    await again.decide("r", { approved: true, by: "ann", identity: "given" });
    expect(await again.resume("r", { workflow })).toMatchObject({ status: "completed" });
    await again.close();
    await again.close();
  });

  it("leaves a store open that was passed in", async () => {
    const path = join(root, ".cairn");
    const cairn = await openCairn({ path });
    const workflows = await openWorkflows({ path, cairn });
    await workflows.run(workflow, { runId: "r" });
    // The same rule as for --run-id: a run has one folder, not one inside another.
    await expect(workflows.run(workflow, { runId: "r/2" })).rejects.toThrow('"r/2" is not a name for a run.');
    await workflows.close();
    expect((await cairn.trails()).map(({ name }) => name)).toEqual(["run/r"]);
    await cairn.close();
  });
});
