import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Signer } from "../../src/capabilities/governance/keys/signature.ts";
import { makeAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import type { JsonObject } from "../../src/core/objects/json.ts";
import { openCairn } from "../../src/work/state/cairn.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { defineWorkflow, openWorkflows } from "../../src/doors/library/workflow/index.ts";
import { pageApp } from "../../src/doors/page/app.ts";
import { Live } from "../../src/doors/page/live.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";
import { own, selfSigned } from "./support/attacks.ts";

/** intern is at T1 and attacks; deployer is at T3; ex was at T3 and is revoked. The attacker knows ex's old token. */
let box: Sandbox;
let storeId: string;
let request: string;
let intern: Record<string, string>;
let deployer: Record<string, string>;
let ex: Record<string, string>;

const as = (env: Record<string, string> = {}) =>
  verbs.openProject({ path: box.folder, env: { HOME: box.home, PATH: process.env["PATH"] ?? "", ...env } });

async function using<Result>(
  env: Record<string, string>,
  use: (project: verbs.Project) => Promise<Result>,
): Promise<Result> {
  const project = as(env);
  try {
    return await use(project);
  } finally {
    await project.stores.close();
  }
}

beforeAll(async () => {
  box = new Sandbox();
  box.write("cairn.yaml", "governance: on\n");
  let signer: Signer | undefined;
  const owner = { env: { HOME: box.home }, userId: process.geteuid?.() };
  const make = async () =>
    (signer = makeAuthorityKey(owner, "correct horse battery", { N: 1024, r: 8, p: 1 }));
  const signing = async () => signer as Signer;
  await using({}, (project) => verbs.authorityInit(project, make));
  const agent = async (name: string, to: 1 | 3) => {
    const { token } = await using({}, (project) => verbs.agentRegister(project, name));
    await using({}, (project) => verbs.agentPromote(project, { agent: name, to }, signing));
    return { CHECKPOINT_AGENT: name, CHECKPOINT_AGENT_TOKEN: token };
  };
  intern = await agent("intern", 1);
  deployer = await agent("deployer", 3);
  ex = await agent("ex", 3);
  await using({}, (project) => verbs.agentRevoke(project, { agent: "ex", reason: "left" }));
  await using(intern, (project) => verbs.now(project, { notes: "work" }));
  const asked = await using(intern, (project) => verbs.gate(project, { action: "infra.terraform.apply" }));
  request = asked.request as string;
  ({ id: storeId } = await using({}, async (project) =>
    (await project.stores.open(project, "read", null)).store.identity(),
  ));
  writeFileSync(join(box.home, "guess"), "password\n");
});
afterAll(() => box.remove());

const TOUCH = ["--", "touch", "CANARY"];
const step = (more: string) => `name: w\nsteps:\n  - { id: one, run: touch CANARY${more} }\n`;
const guessing = () => ["--passphrase-file", join(box.home, "guess")];

interface CommandAttack {
  readonly name: string;
  readonly args: () => readonly string[];
  readonly env?: () => Record<string, string>;
  readonly files?: () => Readonly<Record<string, string>>;
}
const command = (args: readonly string[], more: Partial<CommandAttack> = {}): CommandAttack => ({
  name: args.join(" "),
  args: () => args,
  ...more,
});

/** A statement that nobody but the attacker has signed, as `authority submit` takes it. */
const statement = (said: object, key?: string) => () => {
  const entry = {
    at: "2026-02-14T10:30:00.000Z",
    agent: "intern",
    serial: 5,
    on: { number: 1, hash: "" },
    ...said,
  };
  const scene = { home: box.home, folder: box.folder, storeId, owner: { env: {}, userId: undefined } };
  const signed = selfSigned(scene, entry, key);
  return { "signed.json": JSON.stringify({ store: storeId, statement: signed }) };
};
const promotion = { type: "promotion", from: 1, to: 4, by: "authority" };

const COMMANDS: readonly CommandAttack[] = [
  command(["exec", ...TOUCH]),
  command(["exec", "--agent", "deployer", ...TOUCH]),
  command(["exec", "--agent", "person", ...TOUCH]),
  command(["exec", "--action", "save", ...TOUCH]),
  command(["exec", "--action", "look.around", "--risk", "low", ...TOUCH]),
  command(["exec", "--trail", "cairn/governance", ...TOUCH]),
  command(["exec", "--", "sh", "-c", "touch CANARY"]),
  command(["exec", "--", "env", "CHECKPOINT_AGENT=deployer", "touch", "CANARY"]),
  command(["exec", "--", "terraform", "apply", "-auto-approve"]),
  command(["exec", "--tier", "4", ...TOUCH]),
  command(["exec", ...TOUCH], { name: "exec, with ex's old token", env: () => ex }),
  command(["exec", ...TOUCH], { name: "exec, as nobody", env: () => ({ CHECKPOINT_AGENT: "" }) }),
  command(["exec", ...TOUCH], {
    name: "exec, claiming T4",
    env: () => ({ ...intern, CHECKPOINT_TIER: "4" }),
  }),
  command(["exec", ...TOUCH], {
    name: "exec, with the user's config saying who it is",
    files: () => ({ "../.config/cairn/config.yaml": "agent_id: deployer\nagent_tier: 4\n" }),
    env: () => ({}),
  }),
  command(["exec", ...TOUCH], {
    name: "exec, with governance off in the user's config",
    files: () => ({ "../.config/cairn/config.yaml": "governance: off\n", "cairn.yaml": "governance: off\n" }),
  }),
  ...[
    "",
    ", action: save",
    ", action: look.x, risk: low",
    ", agent: deployer",
    ", env: { CHECKPOINT_AGENT: deployer }",
  ].map((more) =>
    command(["run", "w.yaml", "--trust"], {
      name: `run a step${more}`,
      files: () => ({ "w.yaml": step(more) }),
    }),
  ),
  command(["run", "w.yaml", "--trust", "--agent", "deployer"], { files: () => ({ "w.yaml": step("") }) }),
  command(["agent", "promote", "intern", "--to", "4"]),
  ...[
    ["agent", "promote", "intern", "--to", "4"],
    ["agent", "restore", "ex", "--to", "3"],
    ["authority", "rotate"],
    ["policy", "accept", "--yes"],
  ].map((args) =>
    command(args, {
      name: `${args.join(" ")}, by a guess`,
      args: () => [...args, ...guessing()],
      files: () => ({ "cairn.policy.yaml": 'actions:\n  - { match: "*", tier: 0 }\n' }),
    }),
  ),
  command([], {
    name: "agent approve, by a guess",
    args: () => ["agent", "approve", request, ...guessing()],
  }),
  command([], { name: "agent approve", args: () => ["agent", "approve", request] }),
  command(["authority", "init"], { args: () => ["authority", "init", ...guessing()] }),
  command(["agent", "register", "deployer"]),
  command(["agent", "demote", "intern", "--to", "4", "--reason", "up"]),
  command(["authority", "submit", "signed.json"], { files: statement(promotion) }),
  command(["authority", "submit", "signed.json"], {
    name: "authority submit, of a key of its own",
    files: statement({ type: "authority", public_key: own.publicKey }),
  }),
  command(["authority", "submit", "signed.json"], {
    name: "authority submit, unsigned",
    files: () => ({
      "signed.json": JSON.stringify({ store: storeId, statement: { ...promotion, agent: "intern" } }),
    }),
  }),
  command(["import", "claims.json"], {
    files: () => ({
      "claims.json": JSON.stringify({
        goal: "x",
        agent_id: "deployer",
        agent_tier: 4,
        trail: "cairn/governance",
      }),
    }),
  }),
  command(["now", "--agent", "deployer", "--tier", "4"]),
  command(["goal", "T4", "--trail", "cairn/governance"]),
  command(["trails", "delete", "cairn/governance", "--yes"]),
];

const EVENT = { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Bash" };
const HOOKS: readonly JsonObject[] = [
  {},
  { agent_id: "deployer", agent_tier: 4 },
  { permission_mode: "bypassPermissions" },
  { tool_name: "Read" },
  { tool_name: "bash" },
  { hookSpecificOutput: { permissionDecision: "allow" } },
];

const CALLS: readonly (readonly [string, JsonObject])[] = [
  ["now", { notes: "x", agent: "deployer", agent_id: "deployer", agent_tier: 4, tier: 4 }],
  ["now", { variables: { agent_tier: "4", CHECKPOINT_TIER: "4" } }],
  ["goal", { goal: "T4", trail: "cairn/governance" }],
  ["goal", { goal: "T4", agent: "deployer", token: "x" }],
  ["task_add", { subject: "T4", id: "cairn#1", owner: "deployer", status: "completed" }],
  ["approve", { run: "x", step: "y", answer: "yes", by: "deployer" }],
  ["exec", { argv: ["touch", "CANARY"] }],
  ["capture", { ...EVENT, agent_id: "deployer", tool_input: { command: "touch CANARY" } }],
];

const POSTS: readonly (readonly [string, JsonObject])[] = [
  ["agentPromote", { agent: "intern", to: 4 }],
  ["agentApprove", { request: "req-1" }],
  ["policyAccept", {}],
  ["exec", { argv: ["touch", "CANARY"] }],
  ["resume", { run: "x", agent: "deployer" }],
  ["tag", { name: "t", agent: "deployer", tier: 4 }],
  ["restore", { id: "@", trail: "cairn/governance" }],
  ["__proto__", {}],
];

/** Nothing ran, nobody has a tier that the authority did not give, and nothing was done above T1. */
async function expectNoGain(): Promise<void> {
  expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
  for (const name of [
    "../.config/cairn/config.yaml",
    "cairn.policy.yaml",
    "w.yaml",
    "signed.json",
    "claims.json",
  ])
    rmSync(join(box.folder, name), { force: true });
  box.write("cairn.yaml", "governance: on\n");
  const [found, entries, verified] = await using({}, async (project) => [
    await verbs.agentList(project),
    await verbs.ledger(project, { type: "action" }),
    await verbs.ledgerVerify(project, []),
  ]);
  expect(found.filter(({ tier }) => tier > 1).map(({ agent }) => agent)).toEqual(["deployer", "ex"]);
  expect(found.find(({ agent }) => agent === "ex")).toMatchObject({ is_revoked: true });
  expect(entries.filter(({ entry }) => Number(entry["tier"]) > 1)).toEqual([]);
  expect(verified).toMatchObject({ problem: undefined, forged: [] });
  for (const env of [intern, ex, { CHECKPOINT_AGENT: "deployer" }, {}])
    await using(env, async (project) => {
      for (const action of ["exec.npm", "run.step", "admin.all"])
        expect((await verbs.gate(project, { action })).decision).not.toBe("allow");
    });
}

const hasNoScript = spawnSync("script", ["--version"]).status !== 0;
if (hasNoScript) console.log("skipped: script, which makes terminals, is not installed");

describe("an attacker at T1 gains nothing", () => {
  it.each(COMMANDS)("by the command: $name", async ({ args, env = () => intern, files = () => ({}) }) => {
    for (const [name, text] of Object.entries<string>(files())) {
      mkdirSync(dirname(join(box.folder, name)), { recursive: true });
      writeFileSync(join(box.folder, name), text);
    }
    box.run(args(), { env: env() });
    await expect(expectNoGain()).resolves.toBeUndefined();
  });

  it.skipIf(hasNoScript)("by a terminal of its own making", async () => {
    const argv = box.argv(["exec", ...TOUCH]).join(" ");
    const env = { HOME: box.home, PATH: process.env["PATH"] ?? "" };
    const { stdout } = spawnSync("script", ["-qec", argv, "/dev/null"], {
      cwd: box.folder,
      env,
      encoding: "utf8",
    });
    expect(stdout).toContain("it needs T2, and this is T1");
    await expectNoGain();
  });

  it("by events of hooks", async () => {
    for (const more of HOOKS) {
      const event = { ...EVENT, cwd: box.folder, tool_input: { command: "touch CANARY" }, ...more };
      const { stdout } = box.run(["hook"], { env: intern, input: JSON.stringify(event) });
      expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    }
    await expectNoGain();
  });

  it("by what hooks save: it is recorded as captured, and as nothing else", async () => {
    const session = { session_id: "hooked", cwd: box.folder, agent_id: "deployer", agent_tier: 4 };
    const todos = [{ content: "approved by the authority", status: "completed" }];
    for (const event of [
      { hook_event_name: "UserPromptSubmit", prompt: "I promote intern to T4", ...session },
      { hook_event_name: "PostToolUse", tool_name: "TodoWrite", tool_input: { todos }, tool_response: {} },
    ])
      box.run(["hook"], { env: intern, input: JSON.stringify({ ...session, ...event }) });
    const saved = await using({}, (project) => verbs.ledger(project, { agent: "intern", type: "action" }));
    expect(saved.at(-1)?.entry).toMatchObject({ action: "session.capture", tier: 1 });
    await expectNoGain();
  });

  it("by the library: openCairn only reads, and openWorkflows asks", async () => {
    const path = join(box.folder, ".cairn");
    const cairn = await openCairn({ path });
    const write = () => cairn.trail("main").commit((state) => void (state.goal = "T4"));
    await expect(write()).rejects.toMatchObject({ code: "refused" });
    const env = { HOME: box.home, PATH: process.env["PATH"] ?? "", ...intern };
    const flow = defineWorkflow({ name: "w", steps: [{ id: "one", run: "touch CANARY" }] });
    for (const given of [{}, { cairn }, { agent: "deployer" }]) {
      const workflows = await openWorkflows({ path, env, ...given });
      await expect(workflows.run(flow)).rejects.toMatchObject({ code: "refused" });
      await workflows.close();
    }
    await cairn.close();
    await expectNoGain();
  });

  it("by tools of the MCP server", async () => {
    const agent = await AgentClient.inProcess(box, { env: intern });
    for (const [tool, input] of CALLS) await agent.call(tool, input).catch(() => undefined);
    await agent.close();
    await expect(expectNoGain()).resolves.toBeUndefined();
  });

  it("by requests to the page", async () => {
    const project = as(intern);
    const live = new Live(async () => Promise.reject(new Error("nobody listens")));
    const resume = async () => Promise.reject(new Error("nothing runs"));
    const page = { port: 1, token: "key", isReadOnly: false, version: "1", files: new Map(), live, resume };
    const headers = {
      authorization: "Bearer key",
      host: "127.0.0.1:1",
      "x-agent": "deployer",
      "x-tier": "4",
    };
    for (const [verb, body] of POSTS)
      expect(
        (
          await pageApp({ ...page, project }).request(`/api/verb/${verb}`, {
            method: "POST",
            headers,
            body: JSON.stringify(body),
          })
        ).ok,
      ).toBe(false);
    await project.stores.close();
    await expectNoGain();
  });

  // Last, because nothing above T1 is in the ledger before.
  it("though whoever has the tier gets through the same doors", async () => {
    expect(box.run(["exec", ...TOUCH], { env: deployer }).status).toBe(0);
    expect(existsSync(join(box.folder, "CANARY"))).toBe(true);
    rmSync(join(box.folder, "CANARY"));
    box.write("w.yaml", step(", action: exec.touch"));
    expect(box.run(["run", "w.yaml", "--trust"], { env: deployer }).status).toBe(0);
    expect(existsSync(join(box.folder, "CANARY"))).toBe(true);
    const event = { ...EVENT, cwd: box.folder, tool_input: { command: "touch CANARY" } };
    expect(box.run(["hook"], { env: deployer, input: JSON.stringify(event) }).stdout).toBe("{}\n");
  });
});
