import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { makeAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import * as agents from "../../src/capabilities/governance/verbs/agents.ts";
import * as authority from "../../src/capabilities/governance/verbs/authority.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { Governed } from "../governance/support/governed.ts";
import { skipLoudly } from "./support/scale.ts";
import { whyNoStrace } from "./support/strace.ts";

const PASSPHRASES = "correct horse battery\ncorrect horse stable\n";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.write("cairn.yaml", "governance: on\n");
  writeFileSync(join(box.home, "pass"), PASSPHRASES);
});
afterEach(() => box.remove());

const stateFolder = () => join(box.home, ".local/state/cairn");

/** Every file of the state folder. */
const stateFiles = () =>
  readdirSync(stateFolder(), { recursive: true, encoding: "utf8" })
    .map((name) => join(stateFolder(), name))
    .filter((path) => statSync(path).isFile());

const sign = () => ["--passphrase-file", join(box.home, "pass")];

describe.skipIf(whyNoStrace && skipLoudly("that keys are synced", whyNoStrace))("the state folder", () => {
  it.each([
    ["authority", "init"],
    ["authority", "rotate"],
  ])("is durable, file by file, before the ledger names what is in it: %s %s", (...words) => {
    if (words.includes("rotate")) box.run(["authority", "init", ...sign()]);
    const calls = recordCalls([...words, ...sign()]);
    const named = calls.flatMap(({ name, paths, index }) => {
      const [from = "", to = ""] = paths;
      return ["rename", "link"].includes(name) && to.startsWith(stateFolder()) ? [{ from, to, index }] : [];
    });
    expect(named.map(({ to }) => to).join("\n")).toMatch(/keys\/authority-\w+\.json/);
    for (const { from, to, index } of named) {
      const isSynced = (path: string, after: number, before: number) =>
        calls.some(
          (call) =>
            call.name === "fsync" && call.paths[0] === path && call.index > after && call.index < before,
        );
      expect({ to, isContentSynced: isSynced(from, -1, index) }).toEqual({ to, isContentSynced: true });
      expect({ to, isNameSynced: isSynced(dirname(to), index, Infinity) }).toEqual({
        to,
        isNameSynced: true,
      });
    }
    const key = named.find(({ to }) => /keys\/authority-/.test(to));
    const committed = calls.findLast(({ name, paths }) => name === "pwrite64" && paths[0]?.endsWith("-wal"));
    const keySynced = calls.find(
      ({ name, paths, index }) =>
        name === "fsync" && paths[0] === dirname(key?.to ?? "") && index > (key?.index ?? Infinity),
    );
    expect(keySynced?.index).toBeLessThan(committed?.index ?? -1);
    // Nothing else writes there: what is opened for writing gets its name afterwards.
    const written = calls.filter(
      ({ name, line, paths }) =>
        name === "openat" && /O_(WRONLY|RDWR)/.test(line) && paths[0]?.startsWith(stateFolder()),
    );
    expect(written.filter(({ paths }) => !paths[0]?.endsWith(".tmp")).map(({ paths }) => paths[0])).toEqual(
      [],
    );
  });
});

interface Call {
  readonly index: number;
  readonly name: string;
  readonly line: string;
  /** The path that a descriptor stands for, or those that are named. */
  readonly paths: readonly string[];
}

function recordCalls(words: readonly string[]): Call[] {
  const log = join(box.home, "strace.log");
  const [program = "", ...args] = box.argv(words);
  const trace = ["-qq", "-y", "-o", log, "-e", "trace=openat,pwrite64,fsync,rename,link", program, ...args];
  const { status, stderr } = spawnSync("strace", trace, { cwd: box.folder, env: box.environment() });
  expect({ status, stderr: String(stderr) }).toMatchObject({ status: 0 });
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => !/ = -1 /.test(line))
    .map((line, index) => {
      const [, name = "", rest = ""] = /^(\w+)\((.*)$/.exec(line) ?? [];
      const descriptor = /^\d+<([^>]*)>/.exec(rest)?.[1];
      const named = [...rest.matchAll(/"([^"]*)"/g)].map(([, path = ""]) => path);
      return { index, name, line, paths: descriptor === undefined ? named : [descriptor] };
    });
}

describe("a file of the state folder that is empty or torn", () => {
  const COMMANDS = [
    ["now", "--notes", "still here"],
    ["authority", "show"],
    ["ledger", "verify"],
    ["agent", "promote", "bot", "--to", "2"],
    ["push"],
    ["doctor"],
    ["status"],
  ];

  it.each(["emptied", "cut in half"])("is named with the remedy, never taken for a bug: %s", (how) => {
    box.write("cairn.yaml", "governance: off\n");
    expect(box.run(["remote", "add", "far", `file://${box.home}/far`, "--encrypt"]).status).toBe(0);
    box.write("cairn.yaml", "governance: on\n");
    expect(box.run(["authority", "init", ...sign()]).status).toBe(0);
    expect(box.run(["agent", "register", "bot"]).status).toBe(0);
    const files = stateFiles();
    for (const kind of ["machine.pem", "authority-", "governance/", "remotes/", "trusted/", "heads/"])
      expect(files.some((file) => file.includes(kind))).toBe(true);
    for (const path of files) {
      const whole = readFileSync(path);
      truncateSync(path, how === "emptied" ? 0 : Math.floor(whole.length / 2));
      for (const words of COMMANDS) {
        const isSigned = words[1] === "promote";
        // Half a second each.
        if (isSigned && !path.includes("authority-")) continue;
        const command = isSigned ? [...words, ...sign()] : words;
        const { stderr } = box.run(command);
        expect({ path, command, stderr }).not.toMatchObject({
          stderr: expect.stringMatching(/bug in Cairn/),
        });
      }
      writeFileSync(path, whole);
    }
    expect(box.run(["ledger", "verify"]).status).toBe(0);
  });

  it("is a corrupt key with what to do about it, and the remedy works", () => {
    expect(box.run(["authority", "init", ...sign()]).status).toBe(0);
    const machine = join(stateFolder(), "keys/machine.pem");
    writeFileSync(machine, "");
    const { status, stderr } = box.run(["now"]);
    expect({ status, stderr }).toEqual({
      status: 5,
      stderr: `error: The key of this machine is damaged: "${machine}"
hint: Bring it back from a backup, or move it away, and a new one is made:
mv ${machine} ${machine}.damaged
Then check what the old one sealed: checkpoint ledger verify
`,
    });
    expect(box.run(["verify"]).status).toBe(5);
    expect(box.run(["doctor"]).stdout).toContain("The key of this machine is damaged");
    spawnSync("mv", [machine, `${machine}.damaged`]);
    expect(box.run(["ledger", "verify"]).status).toBe(0);
    expect(box.run(["now"]).status).toBe(0);
  });

  it("is the pin: what this machine knew is missed, and can be accepted again", () => {
    expect(box.run(["authority", "init", ...sign()]).status).toBe(0);
    const { keys, pin } = JSON.parse(box.run(["authority", "show", "--json"]).stdout) as {
      keys: string[];
      pin: string;
    };
    writeFileSync(pin, "");
    const { status, stderr } = box.run(["now"]);
    expect(status).toBe(5);
    expect(stderr).toContain(`error: What this machine knows of the ledger is damaged: "${pin}"`);
    expect(stderr).toContain("checkpoint authority trust FINGERPRINT");
    spawnSync("mv", [pin, `${pin}.damaged`]);
    expect(box.run(["authority", "trust", keys[0] ?? ""]).status).toBe(0);
    expect(box.run(["now"]).status).toBe(0);
  });

  it("is the authority's key", () => {
    expect(box.run(["authority", "init", ...sign()]).status).toBe(0);
    expect(box.run(["agent", "register", "bot"]).status).toBe(0);
    const path = stateFiles().find((file) => file.includes("authority-")) ?? "";
    writeFileSync(path, "");
    const { status, stderr } = box.run(["agent", "promote", "bot", "--to", "2", ...sign()]);
    expect(status).toBe(5);
    expect(stderr).toContain(`error: An authority key is damaged: "${path}"`);
    expect(stderr).toContain("from a backup");
  });
});

describe("the keys of authorities", () => {
  const WEAK = { N: 1024, r: 8, p: 1 };

  it("stay beside each other: a rotation that was interrupted leaves the old one in force", async () => {
    const governed = new Governed();
    try {
      const { publicKey } = await governed.found();
      makeAuthorityKey(governed.owner, "another passphrase", WEAK);
      await governed.agent("a", 0);
      const { keys } = await authority.authorityShow(governed.as());
      const { openAuthorityKey } = await import("../../src/capabilities/governance/keys/authority-file.ts");
      const signing = async (key: string | undefined) =>
        openAuthorityKey(governed.owner, "correct horse battery", String(key));
      await agents.agentPromote(governed.as(), { agent: "a", to: 2 }, signing);
      expect(await agents.agentShow(governed.as(), "a")).toMatchObject({ tier: 2 });
      expect((await signing(keys[0])).publicKey).toBe(publicKey);
    } finally {
      await governed.remove();
    }
  });

  it("are those of their stores: a second project has its own, and takes none away", () => {
    expect(box.run(["authority", "init", ...sign()]).status).toBe(0);
    expect(box.run(["agent", "register", "bot"]).status).toBe(0);
    const other = join(box.home, "other");
    mkdirSync(other);
    writeFileSync(join(other, "cairn.yaml"), "governance: on\n");
    expect(box.run(["authority", "init", ...sign()], { cwd: other }).status).toBe(0);
    expect(box.run(["agent", "promote", "bot", "--to", "2", ...sign()]).status).toBe(0);
  });
});
