import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cairn } from "../../src/work/state/cairn.ts";
import * as evidence from "../../src/capabilities/governance/verbs/evidence.ts";
import { exec, type ExecOptions } from "../../src/capabilities/governance/verbs/exec.ts";
import * as agents from "../../src/capabilities/governance/verbs/agents.ts";
import { gate } from "../../src/capabilities/governance/project-gate/preflight.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { runCommand, Sandbox } from "../cli/support/sandbox.ts";
import { Governed, refusedWith } from "./support/governed.ts";

let box: Governed;
let runner: Record<string, string>;
beforeEach(async () => {
  box = new Governed();
  await box.found();
  runner = await box.agent("runner", 2);
});
afterEach(() => box.remove());

let shown = "";
const run = (
  argv: readonly string[],
  options: Partial<ExecOptions> & { env?: Record<string, string>; agent?: string } = {},
) => {
  shown = "";
  const { env = {}, agent = "runner", ...rest } = options;
  const take = (bytes: Uint8Array) => void (shown += Buffer.from(bytes).toString("utf8"));
  const project = box.as(agent, { ...runner, ...env });
  return exec(project, { argv, cwd: box.folder, out: take, err: take, onSignal: () => () => {}, ...rest });
};

/** Strings that a shell, a parser of options or a terminal would take for something else. */
const HOSTILE = [
  ..."$(touch CANARY)|`touch CANARY`|; touch CANARY|& touch CANARY|&& touch CANARY| | touch CANARY|> CANARY|>> CANARY|< /etc/passwd|$IFS|${IFS}|$PATH|~|~root|*|?|[a-z]|{a,b}|!!|!$|#|\\|\\\\|'|\"|''|\"\"|\n|\r|\r\n|\t| |--|-|-c|-e|--help|--|=|%PATH%|^|^&|%0a|\u{1b}[31m|\u{7}|\u{8}|\u{202e}|\u{feff}|ü|日本|🙂|e\u{301}|\u{1}|\u{7f}"
    .split("|")
    .filter((text) => text !== ""),
  ...Array.from(
    { length: 30 },
    (_, i) => `a${String.fromCharCode(33 + i)}touch CANARY${String.fromCharCode(33 + i)}`,
  ),
  ...Array.from({ length: 30 }, (_, i) => `${String.fromCharCode(64 + i)}$(touch CANARY)`),
  ...Array.from({ length: 30 }, (_, i) => `--${"x".repeat(i)}=$(touch CANARY);'"`),
  ...[
    "'; touch CANARY; '",
    '"; touch CANARY; "',
    "$('touch CANARY')",
    "\n touch CANARY\n",
    "|| touch CANARY",
    "a\nb\nc",
  ].flatMap((text) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `${text}${i}`)),
  "x".repeat(20_000),
];

describe("exec", () => {
  it(`hands ${HOSTILE.length} hostile arguments over as they are`, async () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200);
    const print = "require('fs').writeFileSync('seen.json', JSON.stringify(process.argv.slice(1)))";
    for (let at = 0; at < HOSTILE.length; at += 40) {
      const args = HOSTILE.slice(at, at + 40);
      const { exitCode } = await run([process.execPath, "-e", print, "--", ...args]);
      expect(exitCode).toBe(0);
      expect(JSON.parse(readFileSync(join(box.folder, "seen.json"), "utf8"))).toEqual(args);
      expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
    }
  });

  it("passes output and status on, and keeps evidence that the ledger knows", async () => {
    const {
      exitCode,
      evidence: id,
      package: ran,
    } = await run(["sh", "-c", "echo out; echo err >&2; exit 7"]);
    expect(exitCode).toBe(7);
    expect(shown.split("\n").toSorted()).toEqual(["", "err", "out"]);
    expect(ran).toMatchObject({ agent: "runner", tier: 2, attested: true, action: "exec.sh", exit_code: 7 });
    expect(await evidence.evidenceShow(box.as(), id)).toEqual(ran);
    expect(await evidence.evidenceVerify(box.as())).toMatchObject([{ id, success: false }]);
    const { state } = await verbs.load(box.as(), {});
    expect(state["recent_outputs"]).toMatchObject([
      { type: "evidence", id, action: "exec.sh", success: false },
    ]);
    const archive = await evidence.evidenceExport(box.as(), id);
    expect(JSON.parse(archive.text)).toEqual(ran);
    expect(archive.ledger.at(-1)).toContain('"head"');
  });

  it("says what a shell would say of a program that is missing, or was killed", async () => {
    expect((await run(["no-such-program"])).exitCode).toBe(127);
    expect((await run([box.folder])).exitCode).toBe(126);
    expect((await run(["sh", "-c", "kill -9 $$"])).exitCode).toBe(137);
  });

  it("passes signals on", async () => {
    const script = "trap 'echo got it; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
    let send: ((signal: NodeJS.Signals) => void) | undefined;
    const out = (bytes: Uint8Array) => {
      if (Buffer.from(bytes).toString("utf8").includes("ready")) send?.("SIGTERM");
    };
    const onSignal: ExecOptions["onSignal"] = (pass) => {
      send = pass;
      return () => {};
    };
    expect((await run(["sh", "-c", script], { out, onSignal })).exitCode).toBe(3);
  });

  it("starts nothing that is refused, and takes no name for less than it is", async () => {
    const touch = ["touch", "CANARY"];
    const low = await box.agent("low", 1);
    expect(await refusedWith(() => run(touch, { agent: "low", env: low }))).toBe("refused");
    expect(await refusedWith(() => run(touch, { agent: "low", env: low, action: "save" }))).toBe("refused");
    expect(await refusedWith(() => run(touch, { action: "no.such.action" }))).toBe("refused");
    expect(await refusedWith(() => run(touch, { action: "infra.anything" }))).toBe("refused");
    expect(await refusedWith(() => run([]))).toBe("usage");
    expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
  });

  it("saves a checkpoint before what is risky, with the action in its commit", async () => {
    await run(["true"], { risk: "high" });
    const { checkpoints } = await verbs.list(box.as(), {});
    expect(checkpoints.map(({ notes, trigger }) => [trigger, notes])).toEqual([
      ["exec", null],
      ["exec", "before true"],
    ]);
  });

  it("names 200 of the files that changed, and counts the others", async () => {
    spawnSync("git", ["init", "-q"], { cwd: box.folder });
    const { package: ran, evidence: id } = await run([
      "sh",
      "-c",
      "for i in $(seq 203); do : > made-$i; done",
    ]);
    expect(ran).toMatchObject({ more_files: 3 });
    expect(ran.files_changed).toHaveLength(200);
    expect(ran.files_changed.filter((path) => !existsSync(join(box.folder, path)))).toEqual([]);
    expect(await evidence.evidenceShow(box.as(), id)).toMatchObject({ more_files: 3 });
    expect((await evidence.evidenceVerify(box.as(), id)).map(({ problem }) => problem)).toEqual([undefined]);
  });

  it("shows no evidence that the ledger does not know", async () => {
    const { package: ran } = await run(["true"]);
    const { store } = await box.as().stores.open(box.as(), "write", null);
    const trail = new Cairn(store, () => new Date()).trail<object>("cairn/evidence");
    await trail.commit(() => ({ ...ran, exit_code: 0 }), { foreignId: "evd-forged" });
    expect(await refusedWith(() => evidence.evidenceShow(box.as(), "evd-forged"))).toBe("not-found");
  });

  it("lists the files that changed, and no value of the environment", async () => {
    spawnSync("git", ["init", "-q"], { cwd: box.folder });
    writeFileSync(join(box.folder, "kept"), "1");
    const secret = "hunter2-hunter2";
    const { package: ran } = await run(["sh", "-c", "echo 2 > made; echo $DB_PASSWORD"], {
      env: { DB_PASSWORD: secret },
    });
    expect(ran.files_changed).toContain("made");
    expect(ran.files_changed).not.toContain("kept");
    expect(ran.more_files).toBe(0);
    expect(ran.environment).toContain("DB_PASSWORD");
    expect(ran.environment).not.toContain("CHECKPOINT_AGENT_TOKEN");
    expect(JSON.stringify({ ...ran, output: undefined })).not.toContain(secret);
  });

  it("runs the program that was looked at, not one that comes before it on the PATH meanwhile", async () => {
    spawnSync("git", ["init", "-q"], { cwd: box.folder });
    const [early, late] = [join(box.folder, "early"), join(box.folder, "late")];
    const script = (path: string, lines: string) =>
      writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    for (const folder of [early, late]) mkdirSync(folder);
    script(join(late, "tool"), "echo genuine");
    // Git is asked between the decision and the start, which is when this one puts the other program there.
    script(
      join(early, "git"),
      `printf '#!/bin/sh\\necho exchanged\\n' > ${early}/tool; chmod 755 ${early}/tool; exit 1`,
    );
    await run(["tool"], { env: { PATH: `${early}:${late}:${process.env["PATH"]}` } });
    expect(existsSync(join(early, "tool"))).toBe(true);
    expect(shown).toBe("genuine\n");
  });

  it("refuses at once in another process after a revocation", async () => {
    const project = box.as("runner", runner);
    const options = {
      argv: ["true"],
      cwd: box.folder,
      out: () => {},
      err: () => {},
      onSignal: () => () => {},
    };
    expect((await exec(project, options)).exitCode).toBe(0);
    await agents.agentRevoke(box.as(), { agent: "runner", reason: "test" });
    expect(await refusedWith(() => exec(project, options))).toBe("refused");
    expect(await refusedWith(() => verbs.now(project, {}))).toBe("refused");
  });
});

const has = (program: string, args: readonly string[]) => spawnSync(program, args).status === 0;
const tofu = process.env["CAIRN_TEST_TOFU"] ?? "tofu";
const TOOLS = [
  { name: "terraform", program: "terraform" },
  { name: "OpenTofu", program: tofu },
];

describe.each(TOOLS)("$name", ({ name, program }) => {
  const isMissing = !has(program, ["version"]);
  if (isMissing) console.log(`skipped: ${name} is not installed ($CAIRN_TEST_TOFU names the program)`);

  it.skipIf(isMissing)("applies exactly the plan that was approved", async () => {
    const main = (value: string) =>
      writeFileSync(join(box.folder, "main.tf"), `resource "terraform_data" "x" { input = "${value}" }\n`);
    const plan = (file: string) => run([program, "plan", "-input=false", `-out=${file}`]);
    const apply = (file: string) => run([program, "apply", "-input=false", file]);
    main("one");
    await run([program, "init", "-input=false"]);
    const planned = await plan("one.tfplan");
    expect(planned.exitCode).toBe(0);
    expect(await refusedWith(() => run([program, "apply", "-auto-approve"]))).toBe("refused");
    expect(await refusedWith(() => apply("one.tfplan"))).toBe("refused");
    const request = await openRequest("infra.terraform.apply");
    expect(request.digest).toBe(planned.package.plan_digest);
    // Another plan under the approved name is another plan.
    main("two");
    await plan("two.tfplan");
    // Only what was looked at is approved, whatever the agent shows.
    const approve = (file: string) =>
      agents.agentApprove(box.as(), request.id, async () => box.signer as never, {
        plan: file,
        cwd: box.folder,
      });
    expect(await refusedWith(() => approve("two.tfplan"))).toBe("refused");
    // A program that is not on the PATH, as this OpenTofu may be, is not found by its name.
    if (name === "terraform") await approve("one.tfplan");
    else await agents.agentApprove(box.as(), request.id, async () => box.signer as never);
    const approved = readFileSync(join(box.folder, "one.tfplan"));
    writeFileSync(join(box.folder, "one.tfplan"), readFileSync(join(box.folder, "two.tfplan")));
    expect(await refusedWith(() => apply("one.tfplan"))).toBe("refused");
    writeFileSync(join(box.folder, "one.tfplan"), approved);
    const applied = await apply("one.tfplan");
    expect(applied.exitCode).toBe(0);
    expect(applied.package).toMatchObject({ digest: request.digest, approval: request.id });
    // For one use.
    expect(await refusedWith(() => apply("one.tfplan"))).toBe("refused");
    expect(readFileSync(join(box.folder, "terraform.tfstate"), "utf8")).toContain('"one"');
  });
});

describe("what was approved", () => {
  it("is not spent on another program of that name, or in another place", async () => {
    const program = (folder: string, text: string) => {
      mkdirSync(join(box.folder, folder), { recursive: true });
      const path = join(box.folder, folder, "terraform");
      writeFileSync(path, `#!/bin/sh\necho ${text}\n`, { mode: 0o755 });
      return join(box.folder, folder);
    };
    const [good, bad] = [program("good", "good"), program("bad", "bad")];
    const path = (folder: string) => ({ env: { PATH: `${folder}:${process.env["PATH"]}` } });
    writeFileSync(join(box.folder, "next.tfplan"), "plan");
    const words = ["apply", "next.tfplan"];
    const apply = () => run(["terraform", ...words], path(good));
    expect(await refusedWith(apply)).toBe("refused");
    const request = await openRequest("infra.terraform.apply");
    await agents.agentApprove(box.as(), request.id, async () => box.signer as never);
    for (const other of [
      () => run(["terraform", ...words], path(bad)),
      () => run([join(bad, "terraform"), ...words], path(good)),
      () => run(["terraform", `-chdir=${bad}`, ...words], path(good)),
    ])
      expect(await refusedWith(other)).toBe("refused");
    program("good", "exchanged");
    expect(await refusedWith(apply)).toBe("refused");
    program("good", "good");
    expect((await apply()).exitCode).toBe(0);
    expect(shown).toBe("good\n");
  });
});

describe("ansible", () => {
  const isMissing = !has("ansible-playbook", ["--version"]);
  if (isMissing) console.log("skipped: ansible-playbook is not installed");

  it.skipIf(isMissing)("runs a playbook only as it was checked", { timeout: 180_000 }, async () => {
    const site = join(box.folder, "play/site.yml");
    mkdirSync(join(box.folder, "play/roles"), { recursive: true });
    const play = (text: string) =>
      `- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n    - copy: { dest: "${box.folder}/made", content: "${text}" }\n`;
    writeFileSync(site, play("one"));
    const words = ["ansible-playbook", "-i", "localhost,", "play/site.yml"];
    expect((await run([...words, "--check", "--diff"])).exitCode).toBe(0);
    expect(existsSync(join(box.folder, "made"))).toBe(false);
    expect(await refusedWith(() => run(words))).toBe("refused");
    const request = await openRequest("infra.ansible.apply");
    await agents.agentApprove(box.as(), request.id, async () => box.signer as never);
    writeFileSync(site, play("two"));
    expect(await refusedWith(() => run(words))).toBe("refused");
    writeFileSync(site, play("one"));
    expect((await run(words)).exitCode).toBe(0);
    expect(readFileSync(join(box.folder, "made"), "utf8")).toBe("one");
  });
});

async function openRequest(action: string): Promise<{ id: string; digest: string }> {
  const { ledger } = await import("../../src/capabilities/governance/verbs/ledger.ts");
  const entries = await ledger(box.as(), { type: "request" });
  return entries.map(({ entry }) => entry).findLast((entry) => entry["action"] === action) as never;
}

describe("the command", () => {
  it(`hands ${HOSTILE.length} hostile arguments over as they are`, () => {
    const print = "require('fs').writeFileSync('seen.json', JSON.stringify(process.argv.slice(1)))";
    const args = ["exec", "--", process.execPath, "-e", print, "--", ...HOSTILE];
    const { status } = runCommand(args, { cwd: box.folder, env: { ...box.env, ...runner } });
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(join(box.folder, "seen.json"), "utf8"))).toEqual(HOSTILE);
    expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
  });

  it("tells a refusal by a line of JSON and status 4", async () => {
    const cli = new Sandbox();
    try {
      cli.write("cairn.yaml", "governance: on\n");
      const { status, stderr, stdout } = cli.run(["exec", "--agent", "new", "--", "touch", "CANARY"]);
      expect({ status, stdout }).toEqual({ status: 4, stdout: "" });
      const line = stderr.split("\n").find((each) => each.startsWith("{")) ?? "";
      expect(JSON.parse(line)).toMatchObject({
        refused: true,
        gate: { decision: "deny", agent: "new", tier: 0 },
      });
      expect(existsSync(join(cli.folder, "CANARY"))).toBe(false);
      expect(cli.run(["gate", "exec.touch", "--agent", "new"]).status).toBe(4);
      expect(cli.run(["gate", "save", "--agent", "new"]).status).toBe(0);
    } finally {
      cli.remove();
    }
  });

  it("says that a project is not governed, and how it would be", () => {
    const cli = new Sandbox();
    try {
      const { status, stderr } = cli.run(["exec", "--", "true"]);
      expect(status).toBe(2);
      expect(stderr).toContain("governance: on");
    } finally {
      cli.remove();
    }
  });
});

it("asks for approval once for the same question", async () => {
  const ask = () => gate(box.as("runner", runner), { action: "infra.terraform.apply", digest: "d" });
  const [first, second] = [await ask(), await ask()];
  expect(first).toMatchObject({ decision: "ask", request: second.request });
  rmSync(join(box.folder, "cairn.yaml"));
});
