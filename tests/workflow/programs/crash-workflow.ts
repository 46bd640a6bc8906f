import type { StepSource, WorkflowSource } from "../../../src/capabilities/workflow/definition/types.ts";

/** Every step counts its starts in a file, before anything else, and its ends after everything else. */
const WORK = `echo "$CAIRN_STEP_ID" >> starts.log
sleep 0.01
mkdir -p out
echo "$CAIRN_STEP_ID:$(cat in.txt)" > "out/$CAIRN_STEP_ID.txt"
echo "{\\"said\\":\\"$CAIRN_STEP_ID\\"}" > "$CAIRN_RESULT"
echo "$CAIRN_STEP_ID" >> ends.log`;

const step = (id: string, needs: string[]): StepSource => ({
  id,
  needs,
  run: WORK,
  outputs: [`out/${id}.txt`],
});

/** Twenty steps: a fan of four branches of three, a join, a question, a second fan, and an end. */
export const CRASH_WORKFLOW: WorkflowSource = {
  name: "crash",
  jobs: 3,
  steps: [
    step("start", []),
    ...["a", "b", "c", "d"].flatMap((branch) => [
      step(`${branch}1`, ["start"]),
      step(`${branch}2`, [`${branch}1`]),
      step(`${branch}3`, [`${branch}2`]),
    ]),
    step("merge", ["a3", "b3", "c3", "d3"]),
    { id: "go", needs: ["merge"], approve: "Go on?" },
    ...["x", "y", "z"].map((branch) => step(branch, ["go"])),
    step("check", ["x", "y", "z"]),
    step("end", ["check"]),
  ],
};
