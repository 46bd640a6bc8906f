import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  decide,
  goal,
  list,
  load,
  now,
  openProject,
  setVariable,
  unsetVariable,
} from "../../src/doors/library/project.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";

// Some start a program, which takes long on a machine that is busy with other tests.
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "nothing was refused",
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );
}

const open = (options: { agent?: string } = {}) =>
  openProject({ path: box.folder, env: box.environment(), ...options });

describe("rules that hold in every door", () => {
  it("stores no name that looks like a secret", async () => {
    const words = "usage: The name of the agent or of the trail looks like a secret.";
    expect(await refusal(goal(open({ agent: SECRET }), { goal: "ship" }))).toBe(words);
    expect(await refusal(now(open(), { trail: SECRET }))).toBe(words);
    for (const args of [
      ["decide", "x", "--agent", SECRET],
      ["goal", "x", "--trail", SECRET],
    ])
      expect(box.run(args)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("looks like a secret"),
      });
    expect(box.run(["now"]).status).toBe(0);
    expect(box.run(["fork", "--as", `f-${SECRET}`]).status).toBe(2);
    expect(box.run(["export"]).stdout).not.toContain(SECRET);
  });

  it("takes notes that say nothing for none, and no text beyond its limit", async () => {
    const long = "x".repeat(20_001);
    expect((await now(open(), { notes: "  " })).checkpoint?.notes).toBeNull();
    expect(await refusal(decide(open(), { what: long }))).toContain("20000 are the most");
    expect(box.json("now", "--notes", " ")).toMatchObject({ notes: null });
    expect(box.run(["goal", long]).status).toBe(2);
    const agent = await AgentClient.inProcess(box);
    expect((await agent.call("now", { notes: " " })).isError).toBe(false);
    expect((await agent.call("goal", { goal: long })).isError).toBe(true);
    await agent.close();
  });

  it("knows a variable by its name without the blanks around it", async () => {
    await now(open(), { variables: { " region ": "eu" } });
    await setVariable(open(), { key: "region ", value: "us" });
    expect((await load(open(), {})).state.variables).toEqual({ region: "us" });
    await unsetVariable(open(), { key: " region" });
    expect(box.json("now", "--var", " build ", "7")).toMatchObject({ variables: { build: "7" } });
  });

  it("lets nobody write to an archived transcript", async () => {
    expect(await refusal(goal(open(), { goal: "ship", trail: "transcript/claude/abc" }))).toContain(
      "holds an archived transcript",
    );
    expect(box.run(["goal", "x", "--trail", "transcript/claude/abc"]).status).toBe(2);
  });

  it("lists a whole number of checkpoints, from one on", async () => {
    await now(open(), {});
    for (const limit of [0, -1, 1.5, Infinity])
      expect(await refusal(list(open(), { limit }))).toContain("is not a number of checkpoints");
  });

  it("ends a hook with 0, wherever its options stand", () => {
    for (const args of [
      ["hook", "-C", "/nonexistent"],
      ["-C", "/nonexistent", "hook"],
      ["--jsn", "hook"],
    ])
      expect(box.run(args, { input: "{}" }).status).toBe(0);
  });

  it("takes out of what a run prints what the user's own patterns name", () => {
    const settings = join(box.home, ".config/cairn");
    mkdirSync(settings, { recursive: true });
    writeFileSync(
      join(settings, "config.yaml"),
      "redact:\n  patterns:\n    - { name: acme, pattern: 'ACME-[A-Z]{6}' }\n",
    );
    box.write("flow.yaml", 'name: flow\nsteps:\n  - id: print\n    run: printf "ACME-%s" ABCDEF\n');
    expect(box.run(["run", "flow.yaml", "--run-id", "r1"]).status).toBe(0);
    expect(box.run(["load", "--trail", "run/r1", "--json"]).stdout).not.toContain("ACME-ABCDEF");
  });
});
