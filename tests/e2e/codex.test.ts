import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { codexProfile } from "./support/profiles.ts";
import { RealClient, REPOSITORY } from "./support/real-client.ts";
import { notSaid, said, ScriptedModel } from "./support/scripted-model.ts";

/** The program of Codex CLI. */
const program = process.env["CAIRN_TEST_CODEX"];
if (program === undefined)
  console.warn("Skipped: a session with the real Codex CLI. It is large: npm run test:e2e installs it.");

vi.setConfig({ testTimeout: 180_000 });

let model: ScriptedModel;
let codex: RealClient;
beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterAll(async () => model.stop());
beforeEach(() => {
  codex = new RealClient(program ?? "", codexProfile(model.url));
});
afterEach(() => codex.remove());

function installPlugin(): void {
  expect(codex.run("plugin", "marketplace", "add", REPOSITORY)).toContain("cairn");
  expect(codex.run("plugin", "add", "cairn@cairn")).toContain("cairn");
}

const SHELL = { calls: "exec_command", with: { cmd: "echo hello > a.txt" } } as const;
const PATCH = { patches: "*** Begin Patch\n*** Add File: b.txt\n+hello\n*** End Patch\n" } as const;
const DECISION = {
  calls: "decide",
  of: "mcp__cairn",
  with: { what: "Keep both files small", why: "they are read often" },
} as const;

describe.skipIf(program === undefined)("Codex with the plugin", () => {
  it("is killed in the middle; the next session is told what was done, and the dead one can be resumed", async () => {
    installPlugin();
    model.script(SHELL, PATCH, DECISION, "never ends");
    const first = codex.start(["Write a.txt and b.txt, then c.txt"]);
    await Promise.race([model.isHanging(), first.ended.then(({ output }) => expect.unreachable(output))]);
    expect(codex.sessions()).toMatchObject([{ status: "working" }]);
    first.kill();
    const { signal, output } = await first.ended;
    expect(signal).toBe("SIGKILL");
    expect(output).not.toMatch(/hook: \w+ (?!Completed)\w/);
    // The shell and the patch, but not the call of our own server.
    expect(output.match(/hook: PostToolUse Completed/g)).toHaveLength(2);
    expect(existsSync(join(codex.project, "b.txt"))).toBe(true);

    // Where the system shows its processes, that is known at once.
    const [dead, ...others] = codex.sessions({ minutesLater: process.platform === "linux" ? 0 : 60 });
    expect(others).toEqual([]);
    expect(dead).toMatchObject({
      client: "codex",
      status: "died",
      goal: "Write a.txt and b.txt, then c.txt",
      files_touched: ["b.txt"],
    });
    expect(dead?.resume).toBe(`codex resume ${dead?.id}`);

    model.script({ says: "There is unfinished work: c.txt." });
    await codex.start(["What was I doing?"]).ended;
    const handoff = said(model.requests[0]);
    expect(handoff).toContain("Cairn found unfinished work in this project");
    for (const part of [
      "Write a.txt and b.txt, then c.txt",
      "echo hello > a.txt",
      "b.txt",
      "Keep both files small",
      `codex resume ${dead?.id}`,
    ])
      expect(handoff).toContain(part);

    model.script(
      { calls: "exec_command", with: { cmd: "echo hello > c.txt" } },
      { says: "All three are there." },
    );
    const resumed = await codex.start(["resume", dead?.id ?? "", "Go on"]).ended;
    expect(resumed.output).not.toMatch(/hook: \w+ (?!Completed)\w/);
    const own = said(model.requests[0]);
    expect(own).toContain("Cairn kept this record of your session");
    expect(own).toContain("Keep both files small");
    const after = codex.sessions().find(({ id }) => id === dead?.id);
    expect(after).toMatchObject({ status: "ended", goal: "Write a.txt and b.txt, then c.txt" });
    expect(codex.sessions()).toHaveLength(2);
    expect(codex.checkpoint(["verify"])).toMatchObject({ ok: true });
  });

  it("is compacted, and goes on with the record instead of what the summary left", async () => {
    installPlugin();
    model.script(
      { turn: SHELL, tokens: 90_000 },
      { says: "SUMMARY: something was done." },
      { says: "Done." },
    );
    const settings = ["model_auto_compact_token_limit=20000"];
    const { output } = await codex.start(["Write a.txt, then check it"], { settings }).ended;
    expect(output).toContain("hook: PreCompact Completed");
    expect(model.requests).toHaveLength(3);
    const before = said(model.requests[0]);
    const after = said(model.requests[2]);
    expect(before).not.toContain("Cairn kept this record");
    expect(after).toContain("Cairn kept this record of your session");
    expect(after).toContain("Write a.txt, then check it");
    expect(after).toContain("echo hello > a.txt");
  });

  it("saves nothing as long as its hooks are not trusted: it is they who save", async () => {
    installPlugin();
    model.script(SHELL, { says: "Done." });
    const { status } = await codex.start(["Write a.txt"], { trustsHooks: false }).ended;
    expect(status).toBe(0);
    expect(existsSync(join(codex.project, "a.txt"))).toBe(true);
    expect(existsSync(join(codex.project, ".cairn"))).toBe(false);
  });
});

describe.skipIf(program === undefined)("Codex after checkpoint init", () => {
  it("saves by the hooks in its settings, and no more once they are taken out", async () => {
    const config = join(codex.home, "codex/config.toml");
    const init = codex.checkpoint(["init", "--client", "codex", "--yes"]);
    expect(init).toMatchObject({ clients: [{ client: "codex", changes: [{ done: true }, { done: true }] }] });
    model.script(SHELL, DECISION, { says: "Done." });
    const { output } = await codex.start(["Write a.txt"]).ended;
    expect(output).not.toMatch(/hook: \w+ (?!Completed)\w/);
    const [session] = codex.sessions();
    expect(session).toMatchObject({ client: "codex", status: "ended", goal: "Write a.txt" });
    const work = codex.checkpoint(["load", "--trail", `session/${session?.id}`]);
    expect(work["decisions"]).toMatchObject([{ what: "Keep both files small", by: "agent:codex" }]);
    expect(readFileSync(config, "utf8")).toContain("[mcp_servers.cairn]");

    codex.checkpoint(["init", "--remove", "--yes"]);
    model.script({ says: "Hello." });
    await codex.start(["Say hello"]).ended;
    expect(codex.sessions()).toHaveLength(1);
  });

  it("takes its goal and exit codes from its rollout, and hands over what was done though it ended normally", async () => {
    codex.checkpoint(["init", "--client", "codex", "--yes"]);
    writeFileSync(join(codex.project, "package.json"), '{ "scripts": { "lint": "test -f ok" } }');
    const shell = (cmd: string) => ({ calls: "exec_command", with: { cmd } });
    const goal = { calls: "create_goal", with: { objective: "Make the linter pass" } };
    model.script(goal, shell("npm run --silent lint"), { says: "It fails without a word." });
    await codex.start(["Lint this"]).ended;
    const id = codex.sessions()[0]?.id ?? "";
    const work = () => codex.checkpoint(["load", "--trail", `session/${id}`]);
    expect(work()).toMatchObject({
      goal: "Make the linter pass",
      instructions: [{ text: "Lint this", by: "person" }],
      checks_failing: ["npm run --silent lint"],
    });
    model.script(shell("touch ok"), shell("npm run --silent lint"), { says: "It passes now." });
    await codex.start(["resume", id, "Fix it"]).ended;
    expect(work()["checks_failing"]).toEqual([]);

    model.script({ says: "The linter was made to pass." });
    await codex.start(["What was done?"]).ended;
    const told = [
      "Cairn found what was done last",
      "Fix it",
      "Make the linter pass",
      "It passes now.",
      "touch ok",
    ];
    expect(notSaid(model.requests[0], ...told)).toEqual([]);
    expect(said(model.requests[0])).not.toContain("unfinished work");
  });

  it("keeps the settings that it wrote itself, before ours and after", () => {
    const config = join(codex.home, "codex/config.toml");
    const addServer = (name: string) => codex.run("mcp", "add", "--env", "A=1", name, "--", "echo", name);
    addServer("before");
    addServer("zebra");
    const without = readFileSync(config, "utf8");
    rmSync(config);

    addServer("before");
    codex.checkpoint(["init", "--client", "codex", "--yes"]);
    addServer("zebra");
    const written = readFileSync(config, "utf8");
    expect(written).toContain("[mcp_servers.cairn]");
    codex.checkpoint(["init", "--client", "codex", "--yes"]);
    expect(readFileSync(config, "utf8")).toBe(written);
    codex.checkpoint(["init", "--client", "codex", "--remove", "--yes"]);
    expect(readFileSync(config, "utf8")).toBe(without);
  });
});
