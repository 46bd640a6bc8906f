import { afterEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const boxes: Sandbox[] = [];
afterEach(() => {
  for (const box of boxes.splice(0)) box.remove();
});

function newSandbox(): Sandbox {
  const box = new Sandbox();
  boxes.push(box);
  box.write("flow.yaml", "name: flow\nsteps:\n  - id: one\n    run: echo done\n");
  box.write(
    "flow.ts",
    `export default { name: "typed", steps: [{ id: "one", run: () => ({ answer: 1 }) }] };`,
  );
  return box;
}

const COMMANDS: readonly (readonly [words: readonly string[], input?: string])[] = [
  [["now", "--note", "first"]],
  [["goal", "Ship it"]],
  [["load", "--json"]],
  [["load", "ckpt-nope"]],
  [["lst"]],
  [["set", "answer", "-"], "42"],
  [["hook"], `{"hook_event_name":"SessionStart","session_id":"s-1","source":"startup"}`],
  [["import", "-"], "not JSON"],
  [["run", "flow.yaml", "--run-id", "r-1", "--trust"]],
  [["run", "flow.ts", "--run-id", "t-1", "--trust"]],
  [["list"]],
];

// All other tests lean on it: what they see must be what a person sees.
describe("a command in a process that ran others before", () => {
  it("says and does what it does in a process of its own", () => {
    const [warm, alone] = [newSandbox(), newSandbox()];
    for (const [words, input = ""] of COMMANDS) {
      const seen = withoutChance(warm.asSeen(warm.run(words, { input })));
      expect({ words, seen }).toEqual({
        words,
        seen: withoutChance(alone.asSeen(alone.runAlone(words, { input }))),
      });
    }
  });

  it("has the environment and the folder of that command only", () => {
    const box = newSandbox();
    const elsewhere = newSandbox();
    const ofAgent = box.run(["now", "--json"], { env: { CHECKPOINT_AGENT: "planner" } });
    expect(JSON.parse(ofAgent.stdout)).toMatchObject({ agent_id: "planner" });
    expect(elsewhere.json("now")).toMatchObject({ agent_id: null, parent_checkpoint_id: null });
  });
});

/** The mark around data is drawn at random. */
function withoutChance(text: string): string {
  return text.replaceAll(/data-\d{12}/g, "data-MARK");
}
