import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CLIENTS as KINDS, type ClientKind } from "./support/clients.ts";
import { RealClient } from "./support/real-client.ts";
import { notSaid, ScriptedModel } from "./support/scripted-model.ts";

vi.setConfig({ testTimeout: 400_000 });

const kindOf = (id: string) => KINDS.find((kind) => kind.id === id) as ClientKind;

/** What `checkpoint init` alone sets up, and the file that it writes. */
const CLIENTS = [
  { ...kindOf("gemini"), settings: ".gemini/settings.json" },
  { ...kindOf("opencode"), settings: ".config/opencode/plugins/cairn.js" },
  { ...kindOf("copilot"), settings: ".copilot/hooks/cairn.json" },
] as const;

let model: ScriptedModel;
beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterAll(async () => model.stop());

describe.each(CLIENTS.filter(({ program }) => program !== undefined))("$id after checkpoint init", (kind) => {
  let client: RealClient;
  beforeEach(() => {
    client = new RealClient(kind.program as string, kind.profile(model.url));
  });
  afterEach(() => client.remove());

  const file = () => join(client.home, kind.settings);
  const read = () => (existsSync(file()) ? readFileSync(file(), "utf8") : undefined);
  const init = (...more: string[]) => client.checkpoint(["init", "--client", kind.id, "--yes", ...more]);

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
    client = new RealClient(gemini.program as string, gemini.profile(model.url));
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

    const again = new RealClient(gemini.program as string, gemini.profile(model.url));
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

describe.each(CLIENTS.slice(1).filter(({ program }) => program !== undefined))("$id", (kind) => {
  it("is compacted; its record outlives the conversation", async () => {
    const client = new RealClient(kind.program as string, kind.profile(model.url));
    try {
      client.checkpoint(["init", "--client", kind.id, "--yes"]);
      const full = { turn: kind.shell("touch a.txt"), tokens: 99_000 };
      model.script(
        full,
        { turn: kind.shell("touch b.txt"), tokens: 127_000 },
        { says: "SUMMARY" },
        { says: "Done." },
      );
      await client.start(kind.prompt("Write a.txt, then check it")).ended;
      const [session] = client.sessions();
      const work = client.checkpoint(["load", "--trail", `session/${session?.id}`]);
      expect((work["session"] as { compactions: number }).compactions).toBeGreaterThan(0);
      // What the client itself asks for after a compaction nobody typed.
      expect(work["instructions"]).toBeUndefined();
      model.script({ says: "Yes." });
      await client.start(kind.resume(session?.id ?? "", "Go on")).ended;
      const told = ["Cairn kept this record of your session", "Write a.txt, then check it", "touch a.txt"];
      expect(notSaid(model.requests[0], ...told)).toEqual([]);
    } finally {
      client.remove();
    }
  });
});
