import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentRevoke } from "../../src/capabilities/governance/verbs/agents.ts";
import { ledger, ledgerVerify } from "../../src/capabilities/governance/verbs/ledger.ts";
import { now } from "../../src/work/project/saving/now.ts";
import { runCommand } from "../cli/support/sandbox.ts";
import { Governed } from "./support/governed.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/checkpoint.js");

let box: Governed;
let runner: Record<string, string>;
beforeEach(async () => {
  box = new Governed();
  await box.found();
  runner = await box.agent("runner", 2);
  await box.close();
});
afterEach(() => box.remove());

/** Runs `checkpoint exec` in a process of its own, until the command says that it is there. */
async function startExec(script: string, ...options: string[]) {
  const args = [LAUNCHER, "exec", ...options, "--", "sh", "-c", script];
  const child = spawn(process.execPath, args, { cwd: box.folder, env: { ...box.env, ...runner } });
  const ended = once(child, "close") as Promise<[number | null]>;
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => void (stderr += bytes.toString()));
  child.stdout.resume();
  await once(child.stdout, "data");
  return { child, ended, stderr: () => stderr };
}

const command = (...args: string[]) => runCommand(args, { cwd: box.folder, env: box.env });

/** The command ends when its file is there, whoever started it; never later than in 20 seconds. */
const WAITING =
  "echo ready; i=0; while [ ! -e go ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); done; : > done";

describe("a command that was started", () => {
  it.each([[], ["--risk", "high"]])(
    "is in the ledger before it runs, and again when it has ended %s",
    async (...options) => {
      const peek = `"${process.execPath}" "${LAUNCHER}" ledger --type start --json > during.json; echo ready`;
      const { ended } = await startExec(peek, ...options);
      expect(await ended).toEqual([0, null]);
      const during = readFileSync(join(box.folder, "during.json"), "utf8");
      const { entries } = JSON.parse(during) as { entries: { entry: { start: string } }[] };
      expect(entries).toMatchObject([{ entry: { type: "start", agent: "runner", action: "exec.sh" } }]);
      const [end] = await ledger(box.as(), { type: "evidence", limit: 1 });
      expect(end?.entry["start"]).toBe(entries[0]?.entry.start);
      expect(await ledgerVerify(box.as(), [])).toMatchObject({
        unfinished: [],
        forged: [],
        problem: undefined,
      });
    },
  );

  it("is named by verify and doctor when whatever ran it was killed", async () => {
    const { child, ended } = await startExec(WAITING);
    child.kill("SIGKILL");
    writeFileSync(join(box.folder, "go"), "");
    await ended;
    const words = /Entry \d+: runner started exec\.sh at .* \(run-\w+\), and no end was recorded/;
    for (const args of [["ledger", "verify"], ["verify"]]) {
      const { status, stderr } = command(...args);
      expect({ args, status, stderr }).toEqual({
        args,
        status: 0,
        stderr: expect.stringMatching(words) as string,
      });
    }
    const doctor = command("doctor");
    expect(doctor.stdout + doctor.stderr).toMatch(words);
    const { unfinished } = JSON.parse(command("verify", "--json").stdout) as { unfinished: object[] };
    expect(unfinished).toMatchObject([{ agent: "runner", action: "exec.sh" }]);
  });

  it("ends with its own status when its agent is revoked meanwhile: it was not refused, it ran", async () => {
    const { ended, stderr } = await startExec(`${WAITING}; exit 7`);
    await agentRevoke(box.as(), { agent: "runner", reason: "test" });
    await box.close();
    writeFileSync(join(box.folder, "go"), "");
    expect(await ended).toEqual([7, null]);
    expect(existsSync(join(box.folder, "done"))).toBe(true);
    expect(stderr()).toContain("The command ran, but no checkpoint was saved after it:");
    expect(stderr()).not.toContain('"refused"');
    const [end] = await ledger(box.as(), { type: "evidence", limit: 1 });
    expect(end?.entry).toMatchObject({ agent: "runner", success: false });
    const violations = await ledger(box.as(), { type: "violation", agent: "runner", limit: 5 });
    expect(violations).toEqual([]);
    expect(await ledgerVerify(box.as(), [])).toMatchObject({
      unfinished: [],
      forged: [],
      problem: undefined,
    });
  });

  it("ends with its own status where its trail is damaged and nothing can be saved after it", async () => {
    await now(box.as(), { notes: "to be damaged" });
    await box.close();
    const database = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    const newest = "SELECT object FROM checkpoints ORDER BY sequence DESC LIMIT 1";
    database.exec(`UPDATE objects SET data = zeroblob(length(data)) WHERE id = (${newest})`);
    database.close();
    const { ended, stderr } = await startExec("echo ready; exit 7");
    expect(await ended).toEqual([7, null]);
    expect(stderr()).toMatch(/The command ran, but no checkpoint was saved after it: Object \w+ is damaged/);
    expect(await ledgerVerify(box.as(), [])).toMatchObject({ unfinished: [] });
  });

  it("has an end even if it could not start", async () => {
    const { status } = runCommand(["exec", "--", "no-such-program"], {
      cwd: box.folder,
      env: { ...box.env, ...runner },
    });
    expect(status).toBe(127);
    expect(await ledgerVerify(box.as(), [])).toMatchObject({ unfinished: [] });
  });
});
