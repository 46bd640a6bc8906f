import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planSetup } from "./plan-setup.ts";
import type { Direction } from "./planned-change.ts";
import type { SetupClient } from "./setup-clients.ts";
import { isChange, writeChanges } from "./write-changes.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cairn-setup-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const inHome = (name: string) => join(home, name);
const text = (name: string) => readFileSync(inHome(name), "utf8");
const plan = async (client: SetupClient | undefined, direction: Direction = "add") =>
  planSetup(
    { env: { HOME: home }, home, root: home, packageRoot: join(import.meta.dirname, "../../../..") },
    direction,
    client,
  );

function put(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(inHome(name)), { recursive: true });
  writeFileSync(inHome(name), content);
}

async function setUp(client: SetupClient, direction: Direction = "add"): Promise<void> {
  writeChanges((await plan(client, direction)).flatMap(({ changes }) => changes));
}

async function isSetUp(client: SetupClient): Promise<boolean> {
  return !(await plan(client)).some(({ changes }) => changes.some(isChange));
}

const GEMINI = ".gemini/settings.json";
const CODEX = ".codex/config.toml";

describe("a file of settings", () => {
  it.each([
    ["gemini", GEMINI, '{ "name": "gr\xfcn" }\n'],
    ["codex", CODEX, '# gr\xfcn\nmodel = "x"\n'],
  ] as const)("of %s that is not UTF-8 is refused, and keeps its bytes", async (client, name, written) => {
    const bytes = Buffer.from(written, "latin1");
    put(name, bytes);
    await expect(plan(client)).rejects.toMatchObject({ code: "refused", message: /is not UTF-8/ });
    expect(readFileSync(inHome(name))).toEqual(bytes);
  });

  it("that is refused keeps no other client from being set up", async () => {
    put("AGENTS.md", Buffer.from("gr\xfcn", "latin1"));
    const hint = /^Look at it: ls -l .*, or leave agents-md out for now: checkpoint init --remove --client /;
    await expect(plan(undefined, "remove")).rejects.toMatchObject({ code: "refused", hint });
  });

  it("that nests too deeply is refused", async () => {
    put(CODEX, `a = ${"[".repeat(5000)}${"]".repeat(5000)}\n`);
    await expect(plan("codex")).rejects.toMatchObject({ code: "refused", message: /nested too deeply/ });
  });

  it.each(["gone.toml", "config.toml"])("that is a link to nothing stays a link: %s", async (target) => {
    mkdirSync(inHome(".codex"));
    symlinkSync(target, inHome(CODEX));
    await expect(plan("codex")).rejects.toMatchObject({ code: "refused", message: /link to nothing/ });
    expect(lstatSync(inHome(CODEX)).isSymbolicLink()).toBe(true);
  });

  it("that is read-only is left alone, and so are the others", async () => {
    put(CODEX, 'model = "x"\n');
    chmodSync(inHome(CODEX), 0o444);
    await expect(setUp("codex")).rejects.toMatchObject({ code: "failed", message: /it is read-only$/ });
    expect(text(CODEX)).toBe('model = "x"\n');
    for (const name of ["hooks.json", "config.toml.before-cairn"])
      expect(existsSync(inHome(`.codex/${name}`))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("stays its owner's when root sets the client up", async () => {
    put(CODEX, 'model = "x"\n');
    for (const path of [".codex", CODEX]) chownSync(inHome(path), 1234, 1234);
    await setUp("codex");
    for (const name of ["config.toml", "hooks.json", "config.toml.before-cairn"])
      expect(statSync(inHome(`.codex/${name}`))).toMatchObject({ uid: 1234, gid: 1234 });
  });

  it("keeps a comment that came after init, when everything of ours is removed", async () => {
    put(GEMINI, '{\n  "x": 1\n}\n');
    await setUp("gemini");
    writeFileSync(inHome(GEMINI), text(GEMINI).replace('"x"', '// mine\n  "x"'));
    await setUp("gemini", "remove");
    expect(text(GEMINI)).toBe('{\n  // mine\n  "x": 1\n}\n');
  });

  it("that we created stays if a comment was written into it", async () => {
    await setUp("gemini");
    writeFileSync(inHome(GEMINI), text(GEMINI).replace("{", "{\n  // mine"));
    await setUp("gemini", "remove");
    expect(text(GEMINI)).toContain("// mine");
  });

  it("with CRLF, or as the client formats it, is set up as well", async () => {
    put(GEMINI, '{\r\n  "x": 1\r\n}\r\n');
    await setUp("gemini");
    expect(text(GEMINI).replaceAll("\r\n", "")).not.toContain("\n");
    expect(await isSetUp("gemini")).toBe(true);
    writeFileSync(inHome(GEMINI), JSON.stringify(JSON.parse(text(GEMINI))));
    expect(await isSetUp("gemini")).toBe(true);
  });
});

describe("a client whose hooks the person switched off", () => {
  it.each([
    ["claude", ".claude/settings.json", '{ "disableAllHooks": true }'],
    ["codex", CODEX, "[features]\nhooks = false\n"],
    ["gemini", GEMINI, '{ "hooksConfig": { "enabled": false } }'],
    ["gemini", GEMINI, '{ "hooksConfig": { "disabled": ["cairn"] } }'],
  ] as const)("%s waits for them to be switched on", async (client, name, written) => {
    put(name, written);
    const [first] = await plan(client);
    expect(first?.waitsFor).toMatch(/disableAllHooks|features\.hooks|hooksConfig/);
    const [removed] = await plan(client, "remove");
    expect(removed?.waitsFor).toBeUndefined();
  });
});
