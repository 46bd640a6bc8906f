import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { geminiProfile, opencodeProfile } from "./support/profiles.ts";
import { RealClient } from "./support/real-client.ts";
import { notSaid, ScriptedModel } from "./support/scripted-model.ts";

vi.setConfig({ testTimeout: 400_000 });

/** What is different between the clients that `checkpoint init` alone sets up. */
const CLIENTS = [
  {
    id: "gemini",
    session: "gemini-cli",
    program: process.env["CAIRN_TEST_GEMINI"],
    profile: geminiProfile,
    prompt: (words: string) => ["--prompt", words],
    shell: (command: string) => ({ calls: "run_shell_command", with: { command, description: "run" } }),
    settings: ".gemini/settings.json",
  },
  {
    id: "opencode",
    session: "opencode",
    program: process.env["CAIRN_TEST_OPENCODE"],
    profile: opencodeProfile,
    prompt: (words: string) => [words],
    shell: (command: string) => ({ calls: "bash", with: { command, description: "run" } }),
    settings: ".config/opencode/plugins/cairn.js",
  },
] as const;

let model: ScriptedModel;
beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterAll(async () => model.stop());

for (const { id, program } of CLIENTS)
  if (program === undefined)
    console.warn(`Skipped: a session with the real ${id}. It is large: npm run test:e2e installs it.`);

describe.each(CLIENTS.filter(({ program }) => program !== undefined))("$id after checkpoint init", (kind) => {
  let client: RealClient;
  beforeEach(() => {
    client = new RealClient(kind.program as string, kind.profile(model.url));
  });
  afterEach(() => client.remove());

  const file = () => join(client.home, kind.settings);
  const read = () => (existsSync(file()) ? readFileSync(file(), "utf8") : undefined);
  const init = (...more: string[]) => client.checkpoint(["init", "--client", kind.id, "--yes", ...more]);

  it("saves its work; killed in the middle, the next session is told what was done", async () => {
    init();
    model.script(kind.shell("touch a.txt"), "never ends");
    const first = client.start(kind.prompt("Write a.txt, then b.txt"));
    await Promise.race([model.isHanging(), first.ended.then(({ output }) => expect.unreachable(output))]);
    expect(client.sessions()).toMatchObject([{ client: kind.session, status: "working" }]);
    first.kill();
    expect((await first.ended).signal).toBe("SIGKILL");
    expect(existsSync(join(client.project, "a.txt"))).toBe(true);
    const [dead] = client.sessions({ minutesLater: process.platform === "linux" ? 0 : 60 });
    // OpenCode puts a prompt from its command line in quotes.
    expect(dead).toMatchObject({ status: "died" });
    expect(dead?.goal).toContain("Write a.txt, then b.txt");

    model.script({ says: "There is unfinished work: b.txt." });
    await client.start(kind.prompt("What was I doing?")).ended;
    const told = ["Cairn found unfinished work", "Write a.txt, then b.txt", "touch a.txt"];
    expect(notSaid(model.requests[0], ...told)).toEqual([]);
    expect(client.checkpoint(["verify"])).toMatchObject({ ok: true });
  });

  it("gets the same from a second init, and every byte back from init --remove", async () => {
    const before = read();
    init();
    const once = read();
    expect(once).not.toBe(before);
    init();
    expect(read()).toBe(once);
    model.script({ says: "Hello." });
    await client.start(kind.prompt("Say hello")).ended;
    expect(client.sessions()).toHaveLength(1);
    init("--remove");
    expect(read()).toBe(before);
    model.script({ says: "Hello." });
    await client.start(kind.prompt("Say hello")).ended;
    expect(model.requests).toHaveLength(1);
    expect(client.sessions()).toHaveLength(1);
  });
});

const gemini = CLIENTS[0];
describe.skipIf(gemini.program === undefined)("Gemini CLI", () => {
  let client: RealClient;
  beforeEach(() => {
    client = new RealClient(gemini.program as string, geminiProfile(model.url));
  });
  afterEach(() => client.remove());

  it("keeps the settings that it wrote itself, before ours and after", () => {
    const path = join(client.home, gemini.settings);
    const addServer = (name: string) => client.run("mcp", "add", "--scope", "user", name, "echo", name);
    const original = readFileSync(path, "utf8");
    addServer("before");
    addServer("zebra");
    const without = readFileSync(path, "utf8");
    expect(without).not.toBe(original);

    const again = new RealClient(gemini.program as string, geminiProfile(model.url));
    try {
      const other = join(again.home, gemini.settings);
      again.run("mcp", "add", "--scope", "user", "before", "echo", "before");
      again.checkpoint(["init", "--client", "gemini", "--yes"]);
      again.run("mcp", "add", "--scope", "user", "zebra", "echo", "zebra");
      const written = readFileSync(other, "utf8");
      again.checkpoint(["init", "--client", "gemini", "--yes"]);
      expect(readFileSync(other, "utf8")).toBe(written);
      again.checkpoint(["init", "--client", "gemini", "--remove", "--yes"]);
      expect(readFileSync(other, "utf8")).toBe(without);
    } finally {
      again.remove();
    }
  });

  it("is told its record with the next prompt once it has compacted, and never before", async () => {
    client.checkpoint(["init", "--client", "gemini", "--yes"]);
    const run = async (words: readonly string[]) => client.start(words).ended;
    model.script(gemini.shell("seq 1 20"), gemini.shell("seq 1 30"), { says: "Done." });
    await run(["--prompt", `Count. ${"All of it matters. ".repeat(1500)}`]);
    model.script({ turn: gemini.shell("seq 1 40"), tokens: 900_000 }, { says: "Done again." });
    await run(["--resume", "latest", "--prompt", "Count further"]);
    const compacted = client.sessions()[0]?.id ?? "";
    model.script({ says: "Yes." });
    await run(["--resume", "latest", "--prompt", "Go on"]);
    const { session } = client.checkpoint(["load", "--trail", `session/${compacted}`]) as {
      session: { compactions?: number };
    };
    expect(session.compactions).toBe(1);
    expect(notSaid(model.requests[0], "Cairn kept this record of your session")).toEqual([]);
  });
});
