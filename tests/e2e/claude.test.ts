import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { claudeProfile } from "./support/profiles.ts";
import { RealClient } from "./support/real-client.ts";
import { notSaid, said, ScriptedModel } from "./support/scripted-model.ts";

/** Claude Code is not openly licensed, so nobody installs it for this: `npm run test:claude` uses the person's own. */
const program = process.env["CAIRN_TEST_CLAUDE"];
if (program === undefined)
  console.warn("Skipped: sessions with the real Claude Code. Where it is installed: npm run test:claude");

vi.setConfig({ testTimeout: 180_000 });

const ID = "11111111-2222-4333-8444-555555555555";
const shell = (command: string) => ({ calls: "Bash", with: { command, description: "run" } });
const settings = () => join(claude.home, "claude/settings.json");
const count = (request: unknown, words: string) => said(request).split(words).length - 1;

let model: ScriptedModel;
let claude: RealClient;
beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterAll(async () => model.stop());
beforeEach(() => {
  claude = new RealClient(program ?? "", claudeProfile(model.url));
});
afterEach(() => claude.remove());

const init = (...more: string[]) => claude.checkpoint(["init", "--client", "claude", "--yes", ...more]);
const work = () => claude.checkpoint(["load", "--trail", `session/${ID}`]);

describe.skipIf(program === undefined)("Claude Code after checkpoint init", () => {
  it("is killed while a command runs: the next session is told which", async () => {
    init();
    model.script(shell("touch a.txt"), shell("touch started; sleep 300"));
    const first = claude.start(["--session-id", ID, "Write a.txt, then wait"]);
    const isStarted = () => existsSync(join(claude.project, "started"));
    for (let tries = 0; tries < 300 && !isStarted(); tries++) await wait(100);
    expect(isStarted()).toBe(true);
    // Its transcript is written a moment later; a person who kills it is slower than that.
    await wait(2000);
    first.kill();
    expect((await first.ended).signal).toBe("SIGKILL");
    expect(claude.sessions()).toMatchObject([{ client: "claude-code", status: "died" }]);

    model.script({ says: "It was waiting." });
    await claude.start(["What was I doing?"]).ended;
    const told = [
      "Cairn found unfinished work",
      "Write a.txt, then wait",
      "touch started; sleep 300: was running when its session broke off",
      `claude --resume ${ID}`,
    ];
    expect(notSaid(model.requests[0], ...told)).toEqual([]);
  });

  it("asks the gate before each tool call, once the plugin for that is switched on", async () => {
    init();
    const ours = JSON.parse(readFileSync(settings(), "utf8")) as { enabledPlugins: Record<string, boolean> };
    ours.enabledPlugins["cairn-gate@cairn"] = true;
    writeFileSync(settings(), JSON.stringify(ours));
    writeFileSync(join(claude.project, "cairn.yaml"), "governance: on\n");
    model.script(shell("touch denied.txt"), { says: "I may not." });
    await claude.start(["--session-id", ID, "Write denied.txt"]).ended;
    expect(existsSync(join(claude.project, "denied.txt"))).toBe(false);
    expect(notSaid(model.requests.at(-1), "claude-code may not do")).toEqual([]);
  });

  it("has one current record in its conversation, however often it is compacted and resumed", async () => {
    init();
    model.script(shell("touch a.txt"), { says: "Done." });
    await claude.start(["--session-id", ID, "Write a.txt"]).ended;
    expect(work()["session"]).toMatchObject({ model: "scripted" });
    model.script({ says: "SUMMARY" });
    await claude.start(["--resume", ID, "/compact"]).ended;
    for (const words of ["Go on", "Go on again"]) {
      model.script({ says: "Yes." });
      await claude.start(["--resume", ID, words]).ended;
      expect(count(model.requests[0], "holds the true state")).toBe(0);
    }
    // One from before the compaction may be among the messages that it kept.
    expect(count(model.requests[0], "Cairn kept this record")).toBeLessThanOrEqual(2);
    expect(count(model.requests[0], "is still current.")).toBeGreaterThan(0);
  });

  it("hears with its next prompt of a rule that a person typed while it was under way, once", async () => {
    init();
    model.script({ says: "First." }, { says: "Second." }, { says: "Third." });
    const formats = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    const session = claude.start([...formats, "--session-id", ID], { isTyped: true });
    for (const [index, content] of ["Begin", "Go on", "Go on again"].entries()) {
      if (index === 1) claude.checkpoint(["constraint", "Never touch z.txt"]);
      session.type({ type: "user", message: { role: "user", content } });
      await vi.waitUntil(() => session.output().split('"type":"result"').length - 1 > index, {
        timeout: 60_000,
      });
    }
    session.leave();
    await session.ended;
    expect(model.requests.map((request) => count(request, "Never touch z.txt"))).toEqual([0, 1, 1]);
  });

  it("clears a check that passes without a word", async () => {
    init();
    writeFileSync(join(claude.project, "package.json"), '{ "scripts": { "lint": "test -f ok" } }');
    model.script(shell("npm run --silent lint"), { says: "It fails." });
    await claude.start(["--session-id", ID, "Lint"]).ended;
    expect(work()["checks_failing"]).toEqual(["npm run --silent lint"]);
    model.script(shell("touch ok"), shell("npm run --silent lint"), { says: "It passes." });
    await claude.start(["--resume", ID, "Fix it"]).ended;
    expect(work()["checks_failing"]).toEqual([]);
  });

  it("is told to keep its tasks with our tools where it has none for that, and does", async () => {
    init();
    const tool = (name: string, input: object) => ({
      calls: `mcp__plugin_cairn_cairn__${name}`,
      with: input,
    });
    model.script(
      tool("task_add", { subject: "Write the form" }),
      tool("task_status", { id: "1", status: "in_progress" }),
      { says: "Started." },
    );
    await claude.start(["--session-id", ID, "Plan the form"]).ended;
    expect(notSaid(model.requests[0], "keep your list of steps with task_add and task_status")).toEqual([]);
    expect(notSaid(model.requests[0]?.["tools"], "TodoWrite", "TaskCreate")).toHaveLength(2);
    expect(work()["tasks"]).toMatchObject([{ subject: "Write the form", status: "in_progress" }]);
  });

  it("edits by the shell, has its last prompt rewound with a look at what it did, and goes on from there", async () => {
    init();
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: claude.project });
    const text = (name: string) => readFileSync(join(claude.project, name), "utf8");
    writeFileSync(join(claude.project, "a.txt"), "one\n");
    writeFileSync(join(claude.project, "b.txt"), "committed\n");
    git("add", "a.txt", "b.txt");
    git("commit", "-qm", "first");
    model.script(shell("sed -i s/one/two/ a.txt; printf 'mine\\n' > kept.txt"), { says: "Done." });
    await claude.start(["--session-id", ID, "Make it two"]).ended;
    model.script(shell("sed -i s/two/three/ a.txt; rm b.txt kept.txt; echo x > new.txt"), { says: "Done." });
    await claude.start(["--resume", ID, "Make it three"]).ended;
    expect(text("a.txt")).toBe("three\n");

    const { changes } = claude.checkpoint(["files"]) as { changes: { path: string; by: string[] }[] };
    expect(changes.map(({ path, by }) => [path, by])).toContainEqual(["b.txt", [ID]]);
    expect(claude.checkpoint(["rewind", "--yes"])).toMatchObject({
      target: { why: "prompt", turn: 2, session_id: ID },
      conflicts: [],
      restored: ["a.txt", "b.txt", "kept.txt", "new.txt"].map((path) => ({ path })),
    });
    expect([text("a.txt"), text("b.txt"), text("kept.txt")]).toEqual(["two\n", "committed\n", "mine\n"]);
    expect(existsSync(join(claude.project, "new.txt"))).toBe(false);

    model.script(shell("cat a.txt kept.txt; sed -i s/two/four/ a.txt"), { says: "Done." });
    await claude.start(["--resume", ID, "Make it four"]).ended;
    expect(notSaid(model.requests.at(-1), "two\nmine")).toEqual([]);
    expect(text("a.txt")).toBe("four\n");
    claude.checkpoint(["rewind", "--yes"]);
    expect([text("a.txt"), text("kept.txt")]).toEqual(["two\n", "mine\n"]);
  });

  it("gets the same from a second init, and its own settings back from init --remove", async () => {
    writeFileSync(settings(), '{\n  "theme": "dark"\n}\n');
    init();
    model.script({ says: "Hello." });
    await claude.start(["Say hello"]).ended;
    const written = readFileSync(settings(), "utf8");
    init();
    expect(readFileSync(settings(), "utf8")).toBe(written);
    init("--remove");
    expect(JSON.parse(readFileSync(settings(), "utf8"))).toEqual({ theme: "dark" });
  });
});
