import { expect, it } from "vitest";

import { loadWorkflow } from "../../src/workflow/definition/load-workflow.ts";
import { resumeRun } from "../../src/workflow/runner/resume-run.ts";
import { startRun } from "../../src/workflow/runner/start-run.ts";
import { newProject } from "./support/project.ts";

it("runs", async () => {
  const project = await newProject({
    "w.yaml": `
name: build
inputs: { feature: { required: true } }
steps:
  - id: research
    phase: research
    agent: researcher
    run: mkdir -p r && cat > r/stdin && echo "$INPUT_FEATURE" > r/research.txt && echo '{"n":3}' > "$CAIRN_RESULT"
    outputs: [r/*.txt]
  - { id: plan, if: results.research.n > 2, run: "cat $CAIRN_RESULTS > r/plan.txt", outputs: [r/plan.txt], verify: "test -s r/plan.txt" }
  - { id: docs, if: inputs.feature == "docs", run: "false" }
  - { id: flaky, run: "test $CAIRN_ATTEMPT = 2", retry: { max: 2, backoff: 10ms } }
  - { id: ship, approve: "Ship?" }
  - { id: council, needs: [plan], review: { reviewers: [a, b, c], quorum: 2, run: 'test "$CAIRN_REVIEWER" != c' } }
  - { id: build, needs: [ship, council], run: [sh, -c, "echo built"] }
`,
  });
  const workflow = await loadWorkflow("w.yaml", { cwd: project.root });
  const events: string[] = [];
  const run = await startRun(project, workflow, {
    inputs: { feature: "login" },
    onEvent: (e) => events.push(`${e.type} ${"step" in e ? e.step : ""}`),
  });
  console.log(events.join("\n"), JSON.stringify(run.steps, null, 1), run.status);
  console.log(project.read("r/stdin"));
  console.log((await project.cairn.trail(`run/${run.id}`).history()).map((c) => `${c.trigger} ${c.notes}`));
  expect(run.status).toBe("awaiting_approval");
});
