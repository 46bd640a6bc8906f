import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.write(
    "w.yaml",
    `name: demo
steps:
  - id: plan
    run: echo '{"pages":3}' > "$CAIRN_RESULT"; echo plan > plan.md
    outputs: [plan.md]
  - {id: build, run: exit 3, needs: [plan]}
  - {id: test, run: echo ok, needs: [build]}
`,
  );
  box.run(["run", "w.yaml", "--run-id", "w-1"]);
});
afterEach(() => box.remove());

const NOTHING = { cancelled: ["cancel", "w-1"], archived: ["archive", "w-1"] };

describe.each(Object.entries(NOTHING))("a run that was %s", (status, command) => {
  it("has nothing left to do, and says why", () => {
    box.run(command);
    for (const look of ["next", "status", "summary"]) {
      const { stdout } = box.run([look, "--trail", "run/w-1"]);
      expect(stdout).toContain(`Nothing: the run was ${status}, so it cannot be resumed`);
      expect(stdout).not.toContain("checkpoint resume");
    }
  });
});

describe("a run that was cleaned away", () => {
  it("is archived, whoever may run its commands, and can be looked at", () => {
    box.run(["clean", "--max-age-days", "0", "--yes"]);
    // Another user, to whom the store came from elsewhere.
    const env = { HOME: box.folder };
    for (const options of [[], ["--trust"]])
      expect(box.asSeen(box.run(["resume", "w-1", ...options], { env }))).toMatchInlineSnapshot(`
        "! error: Run "w-1" is archived: it cannot be resumed.
        ! hint: To look at it: checkpoint runs show w-1
        ! Start a new one of "demo", or fork this one: checkpoint resume w-1 --resume-step 0
        [exit 6]"
      `);
    expect(box.run(["runs", "show", "w-1"]).status).toBe(0);
  });
});

describe("the summary of a run", () => {
  it("says in words what is done and open, what steps returned and which files they made", () => {
    const { stdout } = box.run(["summary", "--trail", "run/w-1"]);
    expect(stdout.slice(stdout.indexOf("## Workflow run"), stdout.indexOf("## Notes")))
      .toMatchInlineSnapshot(`
      "## Workflow run [tool]
      - demo: failed, 1 of 3 steps done; Step "build" failed: It ended with status 3.
      - Step build: failed: It ended with status 3.
      - Done: plan
      - Not done: test
      - Result of plan: {"pages":3}
      - Files: plan.md (plan)
      "
    `);
    expect(stdout).not.toContain("fingerprint");
  });

  it("is what `load` shows of a run too, not its JSON", () => {
    const { stdout } = box.run(["load", "--trail", "run/w-1"]);
    expect(stdout.slice(stdout.indexOf("Run  "), stdout.indexOf("Next"))).toMatchInlineSnapshot(`
      "Run        demo: failed, 1 of 3 steps done; Step "build" failed: It ended with status 3.
                 build: failed: It ended with status 3.
                 done: plan
                 not done: test
                 result of plan: {"pages":3}
                 files: plan.md (plan)
      "
    `);
  });
});
