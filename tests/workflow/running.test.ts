import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { parseWorkflow } from "../../src/capabilities/workflow/definition/load-workflow.ts";
import type { StepSource } from "../../src/capabilities/workflow/definition/types.ts";
import type { RunEvent } from "../../src/capabilities/workflow/run/events.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { newProject, type Project } from "./support/project.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";

const steps = (...list: StepSource[]) => defineWorkflow({ name: "w", steps: list });

describe("a step", () => {
  it("gets inputs, its names and earlier results by environment and files only", async () => {
    const project = await newProject();
    const nasty = `'; echo broken > broken.txt; "$(touch broken.txt)\nsecond line`;
    const workflow = parseWorkflow(`
name: w
inputs: { the-feature: { required: true } }
steps:
  - { id: a, run: 'printf %s "$INPUT_THE_FEATURE" > got.txt; echo "{\\"n\\": 1}" > "$CAIRN_RESULT"' }
  - { id: b, run: [sh, -c, 'cat "$CAIRN_RESULTS" > results.json; echo "$CAIRN_RUN_ID $CAIRN_STEP_ID $CAIRN_ATTEMPT $MODE" > names.txt'], env: { MODE: fast } }
`);
    const run = await startRun(project, workflow, { inputs: { "the-feature": nasty }, runId: "r1" });
    expect(run.status).toBe("completed");
    expect(project.read("got.txt")).toBe(nasty);
    expect(JSON.parse(project.read("results.json"))).toEqual({ a: { n: 1 } });
    expect(project.read("names.txt")).toBe("r1 b 1 fast\n");
    expect(() => project.read("broken.txt")).toThrow("ENOENT");
  });

  it("finds its environment, its umask and its shell as they were", async () => {
    const env = { ...process.env, dir: "mine", stat: "mine", boot: "mine", code: "mine", IFS: ":" };
    const project = await newProject({}, { env });
    const say = 'echo "$dir $stat $boot $code $(umask) $# $0"';
    const run = await startRun(project, steps({ id: "a", run: `${say} > a.txt; x=1; exit $((x + 6))` }));
    expect(stateOf(run, "a").reason).toBe("It ended with status 7.");
    const mask = process.umask().toString(8).padStart(4, "0");
    expect(project.read("a.txt")).toBe(`mine mine mine mine ${mask} 0 sh\n`);
    const wrong = await startRun(project, steps({ id: "a", run: "if then" }));
    expect(stateOf(wrong, "a").reason).toMatch(/^It ended with status 2\.\n.*[Ss]yntax error/);
    const words = await startRun(project, steps({ id: "a", run: ["sh", "-c", "exit 9"] }));
    expect(stateOf(words, "a").reason).toBe("It ended with status 9.");
  });

  it("with an agent gets the handoff for its role on stdin and in a file", async () => {
    const project = await newProject();
    await startRun(
      project,
      steps({
        id: "plan",
        agent: "planner",
        about: "Design the login page",
        run: 'cat > stdin.md; cp "$CAIRN_HANDOFF" file.md',
      }),
      { request: "Add a login page" },
    );
    expect(project.read("stdin.md")).toContain(
      'Do step "plan" of the workflow "w" as planner: Design the login page.',
    );
    expect(project.read("stdin.md")).toContain("Add a login page");
    expect(project.read("file.md")).toBe(project.read("stdin.md"));
  });

  it("is tried again as often as it may, and then fails the run with what it said", async () => {
    const project = await newProject();
    const run = await startRun(
      project,
      steps(
        {
          id: "a",
          retry: { max: 2, backoff: "5ms" },
          run: "echo try $CAIRN_ATTEMPT >> tries; echo went wrong >&2; exit 3",
        },
        { id: "b", run: "true" },
      ),
      { runId: "r" },
    );
    expect(run.status).toBe("failed");
    expect(project.read("tries")).toBe("try 1\ntry 2\ntry 3\n");
    expect(run.reason).toBe('Step "a" failed: It ended with status 3.\nwent wrong');
    const [last] = await project.cairn.trail("run/r").history();
    expect(last?.notes).toContain("fix the cause, then checkpoint resume r");
    expect(last?.trigger).toBe("error");
  });

  it("that takes too long is ended with everything that it started", async () => {
    const project = await newProject();
    const run = await startRun(
      project,
      steps({ id: "a", timeout: "150ms", run: "(sleep 1; echo late > late.txt) & sleep 30" }),
    );
    expect(stateOf(run, "a")).toMatchObject({ status: "failed", reason: "It took longer than 150 ms." });
    await wait(1100);
    expect(() => project.read("late.txt")).toThrow("ENOENT");
  });

  it("must write its outputs and pass its verify", async () => {
    const project = await newProject();
    const missing = await startRun(project, steps({ id: "a", run: "true", outputs: ["out/*.json"] }));
    expect(stateOf(missing, "a").reason).toBe('It ended well, but wrote no file "out/*.json".');
    const wrong = await startRun(
      project,
      steps({ id: "a", run: "echo {} > x.json", outputs: ["x.json"], verify: "echo not good; exit 1" }),
    );
    expect(stateOf(wrong, "a").reason).toBe("Its verify did not pass: it ended with status 1.\nnot good");
    for (const path of ["../x", "/etc/passwd", "a/../../b"])
      expect(() => steps({ id: "a", run: "true", outputs: [path] })).toThrow(
        `The output "${path}" is outside of the project.`,
      );
    const link = await startRun(
      project,
      steps({ id: "a", run: "ln -s /etc/passwd link.txt", outputs: ["link.txt"] }),
    );
    expect(stateOf(link, "a").reason).toBe('Its output "link.txt" is outside of the project.');
  });

  it("registers its outputs with size and hash", async () => {
    const project = await newProject();
    const run = await startRun(
      project,
      steps({
        id: "a",
        run: "mkdir r; printf abc > r/1.txt; printf abc > r/2.txt; echo no > r/3.md",
        outputs: ["r/*.txt"],
      }),
    );
    const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(Object.values(run.artifacts)).toMatchObject([
      { path: "r/1.txt", sha256, size_bytes: 3, step: "a" },
      { path: "r/2.txt", sha256 },
    ]);
  });

  it("in TypeScript has a durable result, kept exactly, and refuses what JSON cannot say", async () => {
    const project = await newProject();
    const workflow = steps(
      { id: "a", run: () => ({ list: [1, "two", null], empty: {} }) },
      { id: "b", run: ({ results, attempt }) => [results["a"], attempt] },
      { id: "c", run: () => ({ bad: Number.NaN }) },
    );
    const run = await startRun(project, workflow);
    expect(stateOf(run, "b").result).toEqual([{ list: [1, "two", null], empty: {} }, 1]);
    expect(stateOf(run, "c").reason).toMatch(/^Its result cannot be stored: .*bad/);
  });
});

describe("a secret input", () => {
  it("is left out however it is written: with escapes, as a number, as a name, or one line of it", async () => {
    const project = await newProject();
    const workflow = defineWorkflow({
      name: "w",
      inputs: { quoted: { secret: true }, key: { secret: true }, pin: { secret: true } },
      steps: [
        { id: "a", run: "node write.cjs" },
        { id: "b", run: 'printf "%s" "$INPUT_KEY" | tail -1; exit 1' },
      ],
    });
    project.write(
      "write.cjs",
      `const { INPUT_QUOTED: q, INPUT_KEY: k, INPUT_PIN: p, CAIRN_RESULT } = process.env;
require("node:fs").writeFileSync(CAIRN_RESULT, JSON.stringify({ q: "is " + q, k, p: Number(p), [q]: 1, "__proto__x": 2 }));`,
    );
    const inputs = { quoted: 'pass"word\\1', key: "-----BEGIN-----\nc2VjcmV0c2VjcmV0", pin: "48151623" };
    const run = await startRun(project, workflow, { runId: "r", inputs });
    expect(stateOf(run, "a").result).toEqual({
      q: "is [secret]",
      k: "[secret]",
      p: "[secret]",
      "[secret]": 1,
      __proto__x: 2,
    });
    expect(stateOf(run, "b").reason).toBe("It ended with status 1.\n[secret]");
  });

  it("reaches the command, never the store, and is asked for again at a resume", async () => {
    const project = await newProject();
    const canary = "canary-7f3k29dk2";
    const workflow = parseWorkflow(`
name: w
inputs: { key: { secret: true } }
steps:
  - { id: a, run: 'echo "{\\"key\\": \\"$INPUT_KEY\\"}" > "$CAIRN_RESULT"; echo "$INPUT_KEY" > used.txt' }
  - { id: b, run: 'echo "failed with $INPUT_KEY" >&2; false' }
`);
    const run = await startRun(project, workflow, { inputs: { key: canary }, runId: "r" });
    expect(project.read("used.txt").trim()).toBe(canary);
    expect(stateOf(run, "a").result).toEqual({ key: "[secret]" });
    expect(run.reason).toContain("failed with [secret]");
    for (const { content_hash, notes } of await project.cairn.trail("run/r").history()) {
      const { state } = await project.cairn.trail<object>("run/r").load(content_hash);
      expect(JSON.stringify([state, notes])).not.toContain(canary);
    }
    await expect(resumeRun(project, "r", { workflow })).rejects.toThrow("needs its secret inputs again: key");
    expect((await resumeRun(project, "r", { workflow, inputs: { key: canary } })).status).toBe("failed");
  });

  it("that nobody gave is taken from the definition again; one that was given is asked for", async () => {
    const project = await newProject();
    const workflow = parseWorkflow(`
name: w
inputs: { key: { secret: true, default: sesame-4711 } }
steps:
  - { id: a, run: 'echo "$INPUT_KEY" >> used.txt; test -e repaired' }
`);
    await startRun(project, workflow, { runId: "default" });
    await resumeRun(project, "default", { workflow });
    expect(project.read("used.txt")).toBe("sesame-4711\nsesame-4711\n");
    await startRun(project, workflow, { runId: "given", inputs: { key: "canary-4711" } });
    await expect(resumeRun(project, "given", { workflow })).rejects.toThrow("needs its secret inputs again");
  });
});

describe("a run", () => {
  it("of ten plain steps leaves exactly five checkpoints, and one commit for each step", async () => {
    const project = await newProject();
    let commits = 0;
    const store = project.cairn.store;
    const commit = store.commit.bind(store);
    store.commit = async (change) => {
      commits++;
      return commit(change);
    };
    const run = await startRun(
      project,
      steps(...Array.from({ length: 10 }, (_, index) => ({ id: `s${index}`, run: () => index }))),
      { runId: "ten" },
    );
    expect(run.status).toBe("completed");
    expect(await project.cairn.trail("run/ten").history()).toHaveLength(5);
    expect(commits).toBe(11);
  });

  it("folds results that arrive together into one commit", async () => {
    const project = await newProject();
    const gate = Promise.withResolvers<void>();
    let started = 0;
    const fan = Array.from({ length: 6 }, (_, index) => ({
      id: `s${index}`,
      needs: [],
      run: () => {
        if (++started === 6) gate.resolve();
        return gate.promise;
      },
    }));
    await startRun(project, defineWorkflow({ name: "w", jobs: 6, steps: fan }), { runId: "fan" });
    expect((await project.cairn.trail("run/fan").history())[0]?.notes).toContain(
      "done: s0, s1, s2 and 3 more",
    );
  });

  it("starts nothing further when a result cannot be saved, and names the step", async () => {
    const project = await newProject();
    const store = project.cairn.store;
    const commit = store.commit.bind(store);
    let started = false;
    store.commit = async (change) => {
      if (started) throw new Error("disk full");
      return commit(change);
    };
    const workflow = steps(
      { id: "a", run: () => (started = true) },
      { id: "b", run: () => project.write("b.txt", "") },
    );
    await expect(startRun(project, workflow)).rejects.toThrow(
      'The result of "a" could not be saved: disk full',
    );
    expect(() => project.read("b.txt")).toThrow("ENOENT");
  });

  it("tells what happens, in order, after it is durable", async () => {
    const project = await newProject();
    const events: RunEvent[] = [];
    await startRun(
      project,
      steps({ id: "a", run: () => 1 }, { id: "b", if: "results.a == 2", run: () => 2 }),
      { onEvent: (event) => events.push(event) },
    );
    expect(events.map((event) => `${event.type}${"step" in event ? ` ${event.step}` : ""}`)).toEqual([
      "run-started",
      "step-started a",
      "step-completed a",
      "step-skipped b",
      "run-ended",
    ]);
  });

  it("leaves only private files behind", async () => {
    const project = await newProject();
    const run = await startRun(
      project,
      steps({ id: "a", agent: "x", run: "echo hi; echo '{}' > $CAIRN_RESULT", verify: "true" }),
      { runId: "r" },
    );
    expect(run.status).toBe("completed");
    const open = filesBelow(join(project.folder, "runs")).filter(
      (path) => (statSync(path).mode & 0o077) !== 0 && !path.endsWith("result.json"),
    );
    expect(open).toEqual([]);
  });

  it("of the same name in two repositories does not collide", async () => {
    const [one, two] = [await newProject(), await newProject()];
    const workflow = steps({ id: "a", run: 'echo "$CAIRN_ROOT" > where.txt' });
    await Promise.all([one, two].map(async (project) => startRun(project, workflow, { runId: "same" })));
    expect([one, two].map((project: Project) => project.read("where.txt").trim())).toEqual([
      one.root,
      two.root,
    ]);
    await expect(startRun(one, workflow, { runId: "same" })).rejects.toThrow(
      'There is already a run "same".',
    );
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
