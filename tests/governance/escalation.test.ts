import { chmodSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anchorLedger, type Anchor } from "../../src/capabilities/governance/ledger/anchor.ts";
import { keyFingerprint, type Signer } from "../../src/capabilities/governance/keys/signature.ts";
import { applyEntry } from "../../src/capabilities/governance/state/apply-entry.ts";
import {
  emptyState,
  type GovernanceState,
} from "../../src/capabilities/governance/state/governance-state.ts";
import type { JsonObject } from "../../src/core/objects/json.ts";
import * as agents from "../../src/capabilities/governance/verbs/agents.ts";
import * as authority from "../../src/capabilities/governance/verbs/authority.ts";
import * as ledgers from "../../src/capabilities/governance/verbs/ledger.ts";
import { openGovernance } from "../../src/capabilities/governance/project-gate/open-governance.ts";
import { gate } from "../../src/capabilities/governance/project-gate/preflight.ts";
import * as verbs from "../../src/doors/library/project.ts";
import {
  append,
  entriesOf,
  forgedSeal,
  authorityFile,
  keyFile,
  numbered,
  own,
  pinOf,
  rewrite,
  selfSigned,
  useState,
  withStore,
  type Attack,
  type Scene,
} from "./support/attacks.ts";
import { Governed, PASSPHRASE } from "./support/governed.ts";

/** intern is at T1, deployer at T3, ex was at T3 and is revoked. The attacker is intern, and knows ex's old token. */
let box: Governed;
let storeId: string;
let anchor: Anchor;
let tokens: Record<"intern" | "deployer" | "ex" | "former", string>;

beforeAll(async () => {
  box = new Governed();
  await box.found();
  const [intern, deployer, ex, former] = [
    await box.agent("intern", 1),
    await box.agent("deployer", 3),
    await box.agent("ex", 3),
    await box.agent("former", 3),
  ];
  const token = (env: Record<string, string>) => env["CHECKPOINT_AGENT_TOKEN"] as string;
  tokens = { intern: token(intern), deployer: token(deployer), ex: token(ex), former: token(former) };
  await verbs.now(box.as("intern", intern), { notes: "work" });
  // One approval that is used up, and one request that is open.
  const asked = await gate(box.as("intern", intern), { action: "infra.terraform.destroy" });
  await agents.agentApprove(box.as(), asked.request as string, async () => box.signer as never);
  await gate(box.as("intern", intern), { action: "infra.terraform.apply" });
  await agents.agentRevoke(box.as(), { agent: "ex", reason: "left" });
  await agents.agentDemote(box.as(), { agent: "former", to: 0, reason: "changed teams" });
  const { ledger } = await openGovernance(box.as());
  storeId = ledger.storeId;
  anchor = await anchorLedger(ledger);
  const trust = ledger.trust;
  useState((entries) => {
    const state = emptyState();
    entries.forEach((entry, at) => applyEntry(state, trust, { number: at + 1, entry }));
    return JSON.parse(JSON.stringify(state)) as JsonObject;
  });
  await box.close();
});
afterAll(() => box.remove());

const TIERS = [2, 3, 4] as const;
const AT = "2026-11-17T00:00:00.000Z";
const ABOVE_T1 = ["exec.npm", "infra.terraform.apply", "admin.all"];
const PERMISSIVE = {
  actions: [{ match: "*", tier: 0 }],
  budget_per_hour: [9999, 9999, 9999, 9999, 9999],
  promotions: [{ to: 4, clean_actions: 1 }],
};
const POLICY_YAML = 'actions:\n  - { match: "*", tier: 0 }\n';
const config =
  (text: string) =>
  ({ folder }: Scene) =>
    writeFileSync(join(folder, "cairn.yaml"), text);
const nothing = () => {};
const stateOf = (state: JsonObject) => state as unknown as GovernanceState;
const promoted = (to: number, agent = "intern") => ({
  type: "promotion",
  agent,
  from: 1,
  to,
  by: "authority",
});

const claims: Attack[] = [
  ...[2, 3, 4, 9, 999].map((tier) => ({
    name: `claims T${tier} by its environment`,
    run: nothing,
    env: { CHECKPOINT_TIER: `${tier}` },
  })),
  ...[
    "",
    "null",
    "undefined",
    "true",
    "0",
    "*",
    " ",
    "cairn-agent-",
    "cairn-agent-AAAA",
    "x".repeat(5000),
    "\u{202e}nimda",
  ].map((token) => ({
    name: `calls itself deployer with the token ${JSON.stringify(token).slice(0, 20)}`,
    run: nothing,
    env: { CHECKPOINT_AGENT: "deployer", CHECKPOINT_AGENT_TOKEN: token },
  })),
  ...[
    "deployer ",
    "Deployer",
    "DEPLOYER",
    "deployer\u{0}",
    "dep\u{131}oyer",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "unregistered",
  ].map((agent) => ({
    name: `calls itself ${JSON.stringify(agent)}`,
    run: nothing,
    env: { CHECKPOINT_AGENT: agent },
  })),
  ...["person", "cairn", "unknown"].map((agent) => ({
    name: `takes the reserved name ${agent}`,
    run: nothing,
    env: { CHECKPOINT_AGENT: agent },
  })),
];

const configs: Attack[] = [
  "governance: off\n",
  "governance: false\n",
  "",
  "agent_tier: 4\nagent_id: intern\ngovernance: on\n",
  "agent_tier: 4\nagent_id: deployer\ngovernance: on\n",
  "governance: on\nagent_id: ex\nagent_tier: 3\n",
  "governance: {tier: 4}\n",
  "governance: maybe\n",
  "tier: 4\ngovernance: on\n",
].map((text) => ({ name: `writes cairn.yaml: ${JSON.stringify(text)}`, run: config(text) }));

const files: Attack[] = [
  { name: "deletes cairn.yaml", run: ({ folder }) => rmSync(join(folder, "cairn.yaml")) },
  {
    name: "writes a permissive policy",
    run: ({ folder }) => writeFileSync(join(folder, "cairn.policy.yaml"), POLICY_YAML),
  },
  {
    name: "writes a policy that promotes by itself",
    run: ({ folder }) =>
      writeFileSync(
        join(folder, "cairn.policy.yaml"),
        `${POLICY_YAML}promotions:\n  - { to: 4, clean_actions: 1 }\n`,
      ),
  },
  {
    name: "switches off and writes a policy",
    run: (scene) => (
      config("governance: off\n")(scene),
      writeFileSync(join(scene.folder, "cairn.policy.yaml"), POLICY_YAML)
    ),
  },
];

const forgedEntries: Attack[] = [
  ...TIERS.flatMap((to): Attack[] => [
    { name: `appends an unsigned promotion to T${to}`, run: append(() => ({ at: AT, ...promoted(to) })) },
    {
      name: `appends a promotion to T${to} with its own signature`,
      run: append((all, scene) => selfSigned(scene, numbered(all, promoted(to)))),
    },
    {
      name: `appends a promotion to T${to} with its own signature in the authority's name`,
      run: append((all, scene) =>
        selfSigned(
          scene,
          numbered(all, promoted(to)),
          all.map((entry) => (entry as { authority?: { key: string } }).authority?.key).find(Boolean),
        ),
      ),
    },
    {
      name: `appends a promotion to T${to} by rule`,
      run: append(() => ({ at: AT, ...promoted(to), by: "rule" })),
    },
    {
      name: `appends a promotion to T${to} by nobody`,
      run: append((all) => ({ ...numbered(all, promoted(to)), by: "cairn" })),
    },
    {
      name: `appends a demotion to T${to}`,
      run: append(() => ({ type: "demotion", at: AT, agent: "intern", to, by: "person", reason: "" })),
    },
    {
      name: `appends a demotion to "T${to}"`,
      run: append(() => ({ type: "demotion", at: AT, agent: "intern", to: `T${to}`, by: "x", reason: "" })),
    },
    {
      name: `appends an unsigned restoration of ex to T${to}`,
      run: append(() => ({ type: "restoration", at: AT, agent: "ex", to })),
    },
    {
      name: `appends its own restoration of ex to T${to}`,
      run: append((all, scene) => selfSigned(scene, numbered(all, { type: "restoration", agent: "ex", to }))),
    },
    {
      name: `edits its own promotion to T${to}`,
      run: (scene) =>
        rewrite(scene, (all) =>
          all.map((each) =>
            each["type"] === "promotion" && each["agent"] === "intern" ? { ...each, to } : each,
          ),
        ),
    },
    {
      name: `changes the name in deployer's promotion, to T${to}`,
      run: (scene) =>
        rewrite(scene, (all) =>
          all.map((each) =>
            each["type"] === "promotion" && each["agent"] === "deployer"
              ? { ...each, agent: "intern", to }
              : each,
          ),
        ),
    },
  ]),
  ...["promotion", "registration", "approval", "authority"].map((type) => ({
    name: `appends the genuine ${type} entries again`,
    run: (scene: Scene) => rewrite(scene, (all) => [...all, ...all.filter((each) => each["type"] === type)]),
  })),
  ...["action", "promotion", "unheard-of"].map((type) => ({
    name: `counts the authority's statements back by an entry of type ${type}, and appends former's promotion again`,
    run: (scene: Scene) =>
      rewrite(scene, (all) => {
        const again = all.find((each) => each["type"] === "promotion" && each["agent"] === "former");
        const serial = Number(again?.["serial"]) - 1;
        const back = { type, at: AT, agent: "former", action: "save", by: "rule", to: 0, serial };
        return [...all, back, again as JsonObject];
      }),
  })),
  ...["promotion", "registration"].map((type) => ({
    name: `appends deployer's ${type} under its own name`,
    run: (scene: Scene) =>
      rewrite(scene, (all) => [
        ...all,
        ...all
          .filter((each) => each["type"] === type && each["agent"] === "deployer")
          .map((each) => ({ ...each, agent: "intern" })),
      ]),
  })),
  {
    name: "appends an unsigned policy",
    run: append(() => ({ type: "policy", at: AT, agent: "person", policy: PERMISSIVE, file: "" })),
  },
  {
    name: "appends its own policy",
    run: append((all, scene) =>
      selfSigned(scene, numbered(all, { type: "policy", agent: "person", policy: PERMISSIVE, file: "" })),
    ),
  },
  {
    name: "appends an unsigned approval",
    run: append(() => ({
      type: "approval",
      at: AT,
      agent: "intern",
      request: "req-1",
      action: "infra.terraform.apply",
      expires: "9999",
    })),
  },
  {
    name: "appends its own approval",
    run: append((all, scene) =>
      selfSigned(
        scene,
        numbered(all, {
          type: "approval",
          agent: "intern",
          request: "req-1",
          action: "infra.terraform.apply",
          expires: "9999",
        }),
      ),
    ),
  },
  {
    name: "appends an approval of exec",
    run: append(() => ({
      type: "approval",
      at: AT,
      agent: "intern",
      request: "req-2",
      action: "exec.npm",
      expires: "9999",
    })),
  },
  {
    name: "appends another authority",
    run: append((all, scene) =>
      selfSigned(scene, numbered(all, { type: "authority", agent: "person", public_key: own.publicKey })),
    ),
  },
  {
    name: "registers deployer with its own token",
    run: append(() => ({ type: "registration", at: AT, agent: "deployer", token: "00" })),
  },
  {
    name: "appends a thousand clean actions",
    run: (scene) =>
      rewrite(scene, (all) => [
        ...all,
        ...Array.from({ length: 1000 }, () => ({
          type: "action",
          at: AT,
          agent: "intern",
          tier: 4,
          attested: true,
          action: "save",
        })),
      ]),
  },
  { name: "appends entries of no type", run: append(() => ({ tier: 4 })) },
  {
    name: "puts its own authority first",
    run: (scene) =>
      rewrite(scene, (all) => [
        selfSigned(scene, {
          ...numbered([], { type: "authority", agent: "person", public_key: own.publicKey }),
        }),
        ...all,
      ]),
  },
  {
    name: "replaces the authority by its own",
    run: (scene) =>
      rewrite(scene, (all) =>
        all.map((each) =>
          each["type"] === "authority" ? selfSigned(scene, { ...each, public_key: own.publicKey }) : each,
        ),
      ),
  },
  {
    name: "deletes the revocation",
    run: (scene) => rewrite(scene, (all) => all.filter((each) => each["type"] !== "revocation")),
  },
  {
    name: "cuts the ledger before the revocation",
    run: (scene) =>
      rewrite(scene, (all) =>
        all.slice(
          0,
          all.findIndex((each) => each["type"] === "revocation"),
        ),
      ),
  },
  { name: "deletes the ledger", run: (scene) => rewrite(scene, () => []) },
  {
    name: "gives the store another id",
    run: (scene) =>
      withStore(scene, (db) => db.exec("UPDATE meta SET value = 'another' WHERE key = 'store_id'")),
  },
  {
    name: "drops the log's views",
    run: (scene) => withStore(scene, (db) => db.exec("DROP VIEW promotions")),
  },
];

const seals: Attack[] = [
  ...TIERS.flatMap((tier): Attack[] => [
    {
      name: `seals itself at T${tier}`,
      run: (scene) =>
        forgedSeal(scene, (state) => void Object.assign(stateOf(state).agents["intern"] ?? {}, { tier })),
    },
    {
      name: `seals itself at T${tier} with deployer's grant`,
      run: (scene) =>
        forgedSeal(
          scene,
          (state) =>
            void Object.assign(stateOf(state).agents["intern"] ?? {}, {
              tier,
              grant: stateOf(state).agents["deployer"]?.grant,
            }),
        ),
    },
    {
      name: `seals itself at T${tier} with a grant of its own`,
      run: (scene) =>
        forgedSeal(
          scene,
          (state) =>
            void Object.assign(stateOf(state).agents["intern"] ?? {}, {
              tier,
              grant: selfSigned(scene, numbered([{ serial: 3 }], promoted(tier))),
            }),
        ),
    },
  ]),
  {
    name: "seals a policy of its own",
    run: (scene) =>
      forgedSeal(
        scene,
        (state) =>
          void Object.assign(state, {
            policy: selfSigned(
              scene,
              numbered([{ serial: 4 }], {
                type: "policy",
                agent: "person",
                policy: PERMISSIVE,
                file: "",
              }),
            ),
          }),
      ),
  },
  {
    name: "seals an unsigned policy",
    run: (scene) =>
      forgedSeal(
        scene,
        (state) =>
          void Object.assign(state, {
            policy: { type: "policy", at: AT, agent: "person", policy: PERMISSIVE, file: "" },
          }),
      ),
  },
  {
    name: "seals an approval of its own",
    run: (scene) =>
      forgedSeal(scene, (state) => {
        stateOf(state).approvals["req-9"] = {
          type: "approval",
          at: AT,
          agent: "intern",
          request: "req-9",
          action: "infra.terraform.apply",
          expires: "9999",
        };
      }),
  },
  {
    name: "seals an authority of its own",
    run: (scene) =>
      forgedSeal(
        scene,
        (state) =>
          void Object.assign(state, {
            authority: [
              selfSigned(
                scene,
                numbered([], { type: "authority", agent: "person", public_key: own.publicKey }),
              ),
            ],
          }),
      ),
  },
];

const keys: Attack[] = [
  {
    name: "replaces the machine's key",
    run: (scene) => writeFileSync(keyFile(scene, "machine.pem"), "nonsense"),
  },
  { name: "deletes the machine's key", run: (scene) => rmSync(keyFile(scene, "machine.pem")) },
  { name: "opens the machine's key to all", run: (scene) => chmodSync(keyFile(scene, "machine.pem"), 0o644) },
  { name: "deletes the authority's key", run: (scene) => rmSync(authorityFile(scene)) },
  { name: "deletes the pin", run: (scene) => rmSync(pinOf(scene)) },
  { name: "empties the pin", run: (scene) => writeFileSync(pinOf(scene), "{}") },
  {
    name: "pins its own authority",
    run: (scene) => writeFileSync(pinOf(scene), JSON.stringify({ authority: keyFingerprint(own.publicKey) })),
  },
  { name: "breaks the pin", run: (scene) => writeFileSync(pinOf(scene), "{") },
];

/** Through the doors, with what the attacker may call. */
const doors: Attack[] = [
  {
    name: "saves variables that look like tiers",
    run: (scene) =>
      attempt(scene, (project) => verbs.now(project, { variables: { agent_tier: "4", tier: "4" } })),
  },
  {
    name: "promotes itself without the key",
    run: (scene) =>
      attempt(scene, (project) => agents.agentPromote(project, { agent: "intern", to: 4 }, async () => own)),
  },
  {
    name: "restores ex without the key",
    run: (scene) =>
      attempt(scene, (project) => agents.agentRestore(project, { agent: "ex", to: 3 }, async () => own)),
  },
  { name: "approves its own request", run: (scene) => attempt(scene, approveOwn) },
  {
    name: "registers deployer again",
    run: (scene) => attempt(scene, (project) => agents.agentRegister(project, "deployer")),
  },
  {
    name: "demotes itself upwards",
    run: (scene) =>
      attempt(scene, (project) => agents.agentDemote(project, { agent: "intern", to: 4, reason: "" })),
  },
  {
    name: "writes to the trail of governance",
    run: (scene) =>
      attempt(scene, (project) => verbs.goal(project, { goal: "T4", trail: "cairn/governance" })),
  },
  {
    name: "writes to the trail of evidence",
    run: (scene) => attempt(scene, (project) => verbs.goal(project, { goal: "T4", trail: "cairn/evidence" })),
  },
  {
    name: "makes an authority of its own from another state folder",
    run: async (scene) => {
      await attempt(scene, foundOwn, elsewhere(scene));
      moveIn(scene);
    },
  },
  {
    name: "deletes the pin and makes an authority of its own",
    run: async (scene) => (rmSync(pinOf(scene)), attempt(scene, foundOwn)),
  },
  {
    name: "appends an authority of its own and accepts it",
    run: async (scene) => {
      const said = { type: "authority", agent: "person", public_key: own.publicKey };
      append((_all, each) => selfSigned(each, numbered([], said)))(scene);
      await attempt(scene, acceptOwn);
    },
  },
  {
    name: "appends an authority of its own and accepts it in another state folder",
    run: async (scene) => {
      const said = { type: "authority", agent: "person", public_key: own.publicKey };
      append((_all, each) => selfSigned(each, numbered([], said)))(scene);
      await attempt(scene, acceptOwn, elsewhere(scene));
      moveIn(scene);
    },
  },
  {
    name: "deletes the trail of governance",
    run: (scene) => attempt(scene, (project) => verbs.trailDelete(project, { name: "cairn/governance" })),
  },
];

const elsewhere = ({ home }: Scene) => ({ XDG_STATE_HOME: join(home, "elsewhere") });

/** What comes next is asked as the attacker's processes ask: with the other folder. */
function moveIn({ home }: Scene): void {
  rmSync(join(home, ".local/state"), { recursive: true });
  renameSync(join(home, "elsewhere"), join(home, ".local/state"));
}

async function foundOwn(project: verbs.Project): Promise<unknown> {
  await authority.authorityInit(project, async () => own).catch(() => undefined);
  return agents.agentPromote(project, { agent: "intern", to: 4 }, async () => own);
}

async function acceptOwn(project: verbs.Project): Promise<unknown> {
  await authority.authorityTrust(project, keyFingerprint(own.publicKey)).catch(() => undefined);
  return agents.agentPromote(project, { agent: "intern", to: 4 }, async () => own);
}

async function approveOwn(project: verbs.Project): Promise<unknown> {
  const { request = "" } = await gate(project, { action: "infra.terraform.apply" });
  return agents.agentApprove(project, request, async () => own);
}

/** What the attacker tries may be refused; what counts is what it has afterwards. */
async function attempt(
  scene: Scene,
  call: (project: verbs.Project) => Promise<unknown>,
  env: Record<string, string> = {},
): Promise<void> {
  const intern = { CHECKPOINT_AGENT: "intern", CHECKPOINT_AGENT_TOKEN: tokens.intern };
  const project = openAs(scene, { ...intern, ...env });
  await call(project).catch(() => undefined);
  await project.stores.close();
}

function openAs(scene: Scene, env: Record<string, string>): verbs.Project {
  return verbs.openProject({ path: scene.folder, env: { ...scene.owner.env, ...env } });
}

/** What the gate says, for who comes with this environment: allowed only if it says so. */
async function gets(
  scene: Scene,
  env: Record<string, string>,
  ...actions: readonly string[]
): Promise<string[]> {
  const project = openAs(scene, env);
  const got: string[] = [];
  for (const action of actions)
    got.push(
      await gate(project, { action }).then(
        ({ decision }) => decision,
        (error: unknown) => String((error as { code?: string }).code),
      ),
    );
  await project.stores.close();
  return got;
}

const ATTACKS = [...claims, ...configs, ...files, ...forgedEntries, ...seals, ...keys, ...doors];

async function copied<Result>(use: (scene: Scene) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), "cairn-attack-"));
  try {
    cpSync(box.home, home, { recursive: true });
    const owner = { env: { HOME: home, PATH: process.env["PATH"] ?? "" }, userId: process.geteuid?.() };
    return await use({ home, folder: join(home, "project"), storeId, owner });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const WHO = () => [
  { CHECKPOINT_AGENT: "intern", CHECKPOINT_AGENT_TOKEN: tokens.intern },
  { CHECKPOINT_AGENT: "deployer" },
  { CHECKPOINT_AGENT: "deployer", CHECKPOINT_AGENT_TOKEN: tokens.intern },
  { CHECKPOINT_AGENT: "ex", CHECKPOINT_AGENT_TOKEN: tokens.ex },
  { CHECKPOINT_AGENT: "former", CHECKPOINT_AGENT_TOKEN: tokens.former },
  {},
];

describe("an attacker with the account, but without the authority key", () => {
  it("is tried in at least a hundred ways", () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(100);
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  });

  it("is not refused because everything is: deployer gets its tier, and intern its own", () =>
    copied(async (scene) => {
      const deployer = { CHECKPOINT_AGENT: "deployer", CHECKPOINT_AGENT_TOKEN: tokens.deployer };
      expect(await gets(scene, deployer, "exec.npm")).toEqual(["allow"]);
      const intern = { CHECKPOINT_AGENT: "intern", CHECKPOINT_AGENT_TOKEN: tokens.intern };
      expect(await gets(scene, intern, "work.goal")).toEqual(["allow"]);
    }));

  it.each(ATTACKS)("gains no tier: $name", ({ run, env }) =>
    copied(async (scene) => {
      await run(scene);
      for (const who of env === undefined ? WHO() : [env, { ...WHO()[0], ...env }])
        expect({ who, got: await gets(scene, who, ...ABOVE_T1) }).not.toMatchObject({
          got: expect.arrayContaining(["allow"]),
        });
    }),
  );

  it.each(
    forgedEntries.filter(({ name }) =>
      /edits|changes the name|deletes the r|cuts|deletes the l|replaces|puts/.test(name),
    ),
  )("is detected by the anchor: $name", ({ run }) =>
    copied(async (scene) => {
      await run(scene);
      const project = openAs(scene, {});
      const { problem } = await ledgers.ledgerVerify(project, [anchor]);
      await project.stores.close();
      expect(problem).toBeDefined();
    }),
  );

  it("is detected by the anchor after rewriting everything, with the machine's key and an authority of its own", () =>
    copied(async (scene) => {
      const first = { type: "authority", at: AT, agent: "person", public_key: own.publicKey, serial: 1 };
      rewrite(scene, () => [selfSigned(scene, { ...first, on: { number: 0, hash: scene.storeId } })]);
      writeFileSync(pinOf(scene), JSON.stringify({ authority: keyFingerprint(own.publicKey) }));
      const project = openAs(scene, {});
      expect((await ledgers.ledgerVerify(project, [])).problem).toBeUndefined();
      const { problem } = await ledgers.ledgerVerify(project, [anchor]);
      await project.stores.close();
      expect(problem).toMatchObject({ entry: 2, what: expect.stringContaining("cut off") });
    }));

  // The limit that docs/security.md states; it also shows that forged seals are really read.
  it("can take a revocation back with the machine's key, and the next check of the ledger names the seal", () =>
    copied(async (scene) => {
      forgedSeal(
        scene,
        (state) => void Object.assign(stateOf(state).agents["ex"] ?? {}, { is_revoked: false }),
      );
      const ex = { CHECKPOINT_AGENT: "ex", CHECKPOINT_AGENT_TOKEN: tokens.ex };
      expect(await gets(scene, ex, "exec.npm")).toEqual(["allow"]);
      const project = openAs(scene, {});
      const { problem } = await ledgers.ledgerVerify(project, []);
      await project.stores.close();
      expect(problem).toMatchObject({ what: expect.stringContaining("seal says other") });
    }));

  it("does not get out of the gate by another state folder, or a deleted pin, and a config that says off", () =>
    copied(async (scene) => {
      config("")(scene);
      for (const env of [elsewhere(scene), {}]) {
        const project = openAs(scene, { CHECKPOINT_AGENT: "stranger", ...env });
        await expect(verbs.goal(project, { goal: "Mine" })).rejects.toMatchObject({ code: "refused" });
        await project.stores.close();
        rmSync(pinOf(scene), { force: true });
      }
    }));

  it("leaves a violation when it has a ledger without the revocation accepted, and the anchor names the entry", () =>
    copied(async (scene) => {
      rewrite(scene, (all) => all.filter((each) => each["type"] !== "revocation"));
      const project = openAs(scene, {});
      await authority.authorityTrust(project, keyFingerprint((box.signer as Signer).publicKey));
      const { problem } = await ledgers.ledgerVerify(project, [anchor]);
      await project.stores.close();
      expect(problem).toBeDefined();
      expect(withStore(scene, entriesOf).at(-1)).toMatchObject({
        type: "violation",
        rule: "ledger-replaced",
      });
    }));

  it("is noticed by a process that was running while it rewrote the ledger", () =>
    copied(async (scene) => {
      const project = openAs(scene, { CHECKPOINT_AGENT: "intern", CHECKPOINT_AGENT_TOKEN: tokens.intern });
      await verbs.now(project, { notes: "before" });
      rewrite(scene, (all) =>
        all.map((each) => (each["type"] === "action" ? { ...each, action: "look" } : each)),
      );
      await expect(verbs.now(project, { notes: "after" })).rejects.toMatchObject({ code: "corrupt" });
      await project.stores.close();
    }));

  it("leaves a violation: a claimed tier, a forged entry, a config, a policy file", () =>
    copied(async (scene) => {
      append(() => ({ at: AT, ...promoted(3) }))(scene);
      config("governance: off\n")(scene);
      writeFileSync(join(scene.folder, "cairn.policy.yaml"), POLICY_YAML);
      const env = { CHECKPOINT_AGENT: "intern", CHECKPOINT_AGENT_TOKEN: tokens.intern, CHECKPOINT_TIER: "4" };
      const project = openAs(scene, env);
      await verbs.now(project, {});
      await verbs.now(project, {});
      await project.stores.close();
      const found = withStore(scene, entriesOf).filter(({ type }) => type === "violation");
      expect(found.map(({ rule }) => rule as string).toSorted()).toEqual([
        "claimed-tier",
        "forged-entry",
        "policy-edited",
        "switched-off",
      ]);
    }));

  it.each([
    ["an action of a revoked agent", { agent: "ex", tier: 3 }, "is revoked"],
    ["an action at a tier that its agent does not have", { agent: "intern", tier: 4 }, "not at T4"],
    ["an action of a stranger at T2", { agent: "nobody", tier: 2 }, "not at T2"],
    [
      "an action by an approval that nobody gave",
      { agent: "intern", tier: 1, approval: "req-0" },
      "approved",
    ],
  ])("has %s named as forged, and noted as a violation", (_what, said, why) =>
    copied(async (scene) => {
      append(() => ({ type: "action", at: AT, attested: true, action: "infra.terraform.apply", ...said }))(
        scene,
      );
      const project = openAs(scene, {
        CHECKPOINT_AGENT: "deployer",
        CHECKPOINT_AGENT_TOKEN: tokens.deployer,
      });
      const { forged } = await ledgers.ledgerVerify(project, []);
      expect(forged).toEqual([
        expect.objectContaining({ agent: said.agent, what: expect.stringContaining(why) }),
      ]);
      await verbs.now(project, {});
      await project.stores.close();
      const noted = withStore(scene, entriesOf).filter(({ rule }) => rule === "forged-entry");
      expect(noted).toMatchObject([{ agent: said.agent, entry: forged[0]?.number }]);
    }),
  );

  it("finds no secret of the authority on the disk", () => {
    const file = readFileSync(authorityFile(box), "utf8");
    expect(file).toContain("BEGIN ENCRYPTED PRIVATE KEY");
    expect(file).not.toContain(PASSPHRASE);
    for (const token of Object.values(tokens))
      expect(readFileSync(join(box.folder, ".cairn/store.sqlite")).includes(token)).toBe(false);
  });
});
