import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transitSigner } from "../../src/capabilities/governance/keys/transit-signer.ts";
import { VaultClient, vaultFrom } from "../../src/capabilities/vault/vault-client.ts";
import { vaultPolicies } from "../../src/capabilities/governance/policy/vault-policies.ts";
import * as agents from "../../src/capabilities/governance/verbs/agents.ts";
import * as authority from "../../src/capabilities/governance/verbs/authority.ts";
import { exec } from "../../src/capabilities/governance/verbs/exec.ts";
import { ledgerAnchor } from "../../src/capabilities/governance/verbs/ledger.ts";
import { vaultPoliciesFor } from "../../src/capabilities/governance/verbs/vault.ts";
import { parseAnchor } from "../../src/capabilities/governance/ledger/anchor.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { FakeVault } from "./support/fake-vault.ts";
import { Governed, refusedWith } from "./support/governed.ts";

let vault: FakeVault;
let client: VaultClient;
const now = () => new Date();
const newClient = (timeoutMs: number) =>
  new VaultClient({ address: vault.address, login: { token: vault.token }, timeoutMs, now });
beforeEach(async () => {
  vault = new FakeVault();
  await vault.start();
  client = newClient(60_000);
});
afterEach(() => vault.stop());

describe("the client", () => {
  it.each(["active", "standby", "sealed"] as const)("knows that a server is %s", async (state) => {
    vault.state = state;
    expect(await client.health()).toEqual({ status: state, version: "1.20.0" });
  });

  it.each([
    ["sealed", "missing-dependency", "sealed"],
    ["busy", "failed", "asked too often"],
    ["expired", "refused", "expired"],
    ["hanging", "missing-dependency", "no answer in time"],
  ] as const)("says what is wrong with a server that is %s", async (state, code, words) => {
    vault.state = state;
    const asked = state === "hanging" ? newClient(500) : client;
    await expect(asked.readSecret("a", "b")).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  it("logs in with a role, and renews the login when two thirds of its time are over", async () => {
    vault.secrets.set("secret/data/x", { key: "value" });
    let seconds = 0;
    const role = (secretId: string) =>
      new VaultClient({
        address: vault.address,
        login: { roleId: "role", secretId },
        now: () => new Date(seconds * 1000),
      });
    expect(await refusedWith(() => role("wrong").readSecret("x", "key"))).toBe("usage");
    const asked = vault.requests.length;
    const client = role("secret");
    // It got 1,200 seconds, and 3,600 when it was renewed.
    for (seconds of [0, 799, 801, 3200, 3202]) expect(await client.readSecret("x", "key")).toBe("value");
    const words = vault.requests.slice(asked).map((each) => each.replace(/.*\//, ""));
    expect(words).toEqual(["login", "x", "x", "renew-self", "x", "x", "renew-self", "x"]);
    vault.revokeLogin();
    seconds = 9999;
    expect(await client.readSecret("x", "key")).toBe("value");
    expect(vault.requests.at(-2)).toContain("login");
  });

  it("renews a token that it was given when it is first used, and uses one that cannot be renewed", async () => {
    vault.secrets.set("secret/data/x", { key: "value" });
    await client.readSecret("x", "key");
    await client.readSecret("x", "key");
    const words = () => vault.requests.map((each) => each.replace(/.*\//, ""));
    expect(words()).toEqual(["renew-self", "x", "x"]);
    vault.isRenewable = false;
    const other = new VaultClient({ address: vault.address, login: { token: vault.token }, now });
    expect(await other.readSecret("x", "key")).toBe("value");
  });

  it("finds a secret, and says when there is none", async () => {
    vault.secrets.set("secret/data/x/y", { key: "value" });
    expect(await client.readSecret("x/y", "key")).toBe("value");
    expect(await refusedWith(() => client.readSecret("x/y", "other"))).toBe("not-found");
    expect(await refusedWith(() => client.readSecret("x/z", "key"))).toBe("not-found");
    expect(await refusedWith(() => client.readSecret("x/y", "__proto__"))).toBe("not-found");
  });

  it("does not trust a certificate that nobody signed, and sends no token then", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-tls-"));
    const [key, cert] = [join(folder, "k"), join(folder, "c")];
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "ed25519",
      "-nodes",
      "-subj",
      "/CN=localhost",
      "-keyout",
      key,
      "-out",
      cert,
      "-days",
      "1",
    ]);
    expect(made.status).toBe(0);
    const secure = new FakeVault();
    await secure.start({ key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") });
    const other = new VaultClient({ address: secure.address, login: { token: secure.token }, now });
    await expect(other.readSecret("a", "b")).rejects.toMatchObject({
      code: "missing-dependency",
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    expect(secure.requests).toEqual([]);
    secure.stop();
    rmSync(folder, { recursive: true });
  });

  it("is found by the variables of Vault and of OpenBao, and not without a login", () => {
    expect(vaultFrom({}, now)).toBeUndefined();
    expect(vaultFrom({ BAO_ADDR: vault.address, BAO_TOKEN: "t" }, now)).toBeInstanceOf(VaultClient);
    expect(() => vaultFrom({ VAULT_ADDR: vault.address }, now)).toThrow("no login");
  });
});

it("gives each tier what the one below has, and more", () => {
  const policies = vaultPolicies("shop", "cairn").map(({ text }) => text);
  for (const tier of [0, 1, 2, 3, 4]) expect(policies[tier]).not.toContain("transit/sign");
  expect(policies[5]).toContain('path "transit/sign/cairn" {\n  capabilities = ["update"]');
  expect(policies[0]).not.toContain("secret/");
  expect(policies[1]).toContain('path "secret/data/cairn/shop/agent/*" {\n  capabilities = ["read"]');
  expect(policies[1]).not.toContain("/run/");
  expect(policies[2]).toContain("transit/verify/cairn");
  expect(policies[3]).toContain("/infra/*");
  expect(policies[3]).not.toContain("delete");
  expect(policies[4]).toContain(
    'path "secret/data/cairn/shop/infra/*" {\n  capabilities = ["create", "read", "update", "delete"]',
  );
});

describe("a governed project with a vault", () => {
  let box: Governed;
  let env: Record<string, string>;
  beforeEach(async () => {
    box = new Governed();
    env = { VAULT_ADDR: vault.address, VAULT_TOKEN: vault.token };
    await authority.authorityInit(box.as(undefined, env), () => transitSigner(client, "cairn"));
    box.signer = await transitSigner(client, "cairn");
  });
  afterEach(() => box.remove());

  it("has an authority whose key never leaves the vault", async () => {
    await box.agent("a", 3);
    expect(await agents.agentShow(box.as(), "a")).toMatchObject({ tier: 3 });
    expect(await refusedWith(() => transitSigner(client, "rsa"))).toBe("usage");
    vault.state = "sealed";
    const signing = () => transitSigner(client, "cairn");
    expect(await refusedWith(() => agents.agentPromote(box.as(), { agent: "a", to: 4 }, signing))).toBe(
      "missing-dependency",
    );
    const anchor = await ledgerAnchor(box.as());
    expect(parseAnchor(JSON.stringify(anchor))).toEqual(anchor);
  });

  it("writes one policy per tier, and one for the authority", async () => {
    await vaultPoliciesFor(box.as(undefined, env), true);
    const names = ["t0", "t1", "t2", "t3", "t4", "authority"].map((name) => `cairn-project-${name}`);
    expect([...vault.policies.keys()]).toEqual(names);
  });

  it.each([0, 1, 2, 3, 4] as const)("lets no token of T%i use the authority's key", async (tier) => {
    await vaultPoliciesFor(box.as(undefined, env), true);
    vault.tokens.set("hvs.agent", [`cairn-project-t${tier}`]);
    await box.agent("a", 1);
    const own = new VaultClient({
      address: vault.address,
      login: { token: "hvs.agent" },
      timeoutMs: 5000,
      now,
    });
    const signing = () => transitSigner(own, "cairn");
    const promote = () => agents.agentPromote(box.as("a"), { agent: "a", to: 4 }, signing);
    expect(await refusedWith(promote)).not.toBe("allowed");
    expect(await agents.agentShow(box.as(), "a")).toMatchObject({ tier: 1 });
    const uses: readonly (readonly [string, string])[] = [
      ["POST", "transit/sign/cairn"],
      ["POST", "transit/sign/cairn/sha2-256"],
      ["POST", "transit/hmac/cairn"],
      ["GET", "transit/export/signing-key/cairn"],
      ["GET", "transit/backup/cairn"],
      ["POST", "transit/keys/cairn/config"],
      ["POST", "transit/keys/cairn/rotate"],
      ["DELETE", "transit/keys/cairn"],
      ["PUT", "sys/policies/acl/cairn-project-t0"],
    ];
    for (const [method, path] of uses) {
      const headers = { "x-vault-token": "hvs.agent" };
      const { status } = await fetch(`${vault.address}/v1/${path}`, { method, headers });
      expect({ tier, method, path, status }).toEqual({ tier, method, path, status: 403 });
    }
    // The fixture does look at policies: what the tier may do, it does.
    const read = await fetch(`${vault.address}/v1/transit/keys/cairn`, {
      headers: { "x-vault-token": "hvs.agent" },
    });
    expect(read.status).toBe(200);
  });

  it("lets a token of the authority sign", async () => {
    await vaultPoliciesFor(box.as(undefined, env), true);
    vault.tokens.set("hvs.authority", ["cairn-project-authority"]);
    const login = { token: "hvs.authority" };
    const own = new VaultClient({ address: vault.address, login, timeoutMs: 5000, now });
    await box.agent("a", 1);
    await agents.agentPromote(box.as(), { agent: "a", to: 4 }, () => transitSigner(own, "cairn"));
    expect(await agents.agentShow(box.as(), "a")).toMatchObject({ tier: 4 });
  });

  it("resolves secrets for the tier that runs, and stores none", async () => {
    const secret = "s3cr3t-of-the-runner";
    vault.secrets.set("secret/data/cairn/project/run/db", { password: secret });
    const runner = await box.agent("runner", 2);
    let shown = "";
    const run = (more: Record<string, string>, argv = ["sh", "-c", "echo $PASSWORD $VAULT_TOKEN"]) =>
      exec(box.as("runner", { ...env, ...runner, ...more }), {
        argv,
        cwd: box.folder,
        out: (bytes) => void (shown += Buffer.from(bytes).toString("utf8")),
        err: () => {},
        onSignal: () => () => {},
      });
    const { package: ran } = await run({ PASSWORD: "secret://run/db#password" });
    expect(shown).toBe(`${secret}\n`);
    expect(ran.output.tail).toBe("[redacted:vault]\n");
    await box.close();
    expect(readFileSync(join(box.folder, ".cairn/store.sqlite")).includes(secret)).toBe(false);
    expect(await refusedWith(() => run({ PASSWORD: "secret://infra/db#password" }))).toBe("refused");
    for (const bad of [
      "secret://other/db#password",
      "secret://run/../../x#y",
      "secret://run#y",
      "secret://run/db",
      "secret://run//db#p",
    ])
      expect(await refusedWith(() => run({ PASSWORD: bad }))).toBe("usage");
    expect(vault.requests.filter((each) => each.includes("..") || each.includes("other"))).toEqual([]);
  });

  /** Runs one step that prints its secret, writes it as its result, and ends with a status. */
  const runStep = async (more: Record<string, string>, reference: string, status = 0) => {
    const workflow = defineWorkflow({
      name: "w",
      steps: [
        {
          id: "one",
          run: `printf %s "$PASSWORD" | cksum > sum; echo "$PASSWORD$VAULT_TOKEN"; printf '"%s"' "$PASSWORD" > "$CAIRN_RESULT"; exit ${status}`,
          env: { PASSWORD: reference },
        },
      ],
    });
    return startRun(await openRuns(box.as("runner", more), "create"), workflow, {});
  };
  const filesBelow = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());

  it("resolves secrets in the environment of steps, for the tier that runs them, and stores none", async () => {
    const secret = "s3cr3t-of-the-step";
    vault.secrets.set("secret/data/cairn/project/run/db", { password: secret });
    vault.secrets.set("secret/data/cairn/project/infra/db", { password: secret });
    const runner = { ...env, ...(await box.agent("runner", 2)) };
    const done = await runStep(runner, "secret://run/db#password");
    expect(done.status).toBe("completed");
    expect(stateOf(done, "one").result).toBe("[secret]");
    const { stdout } = spawnSync("cksum", { input: secret });
    expect(readFileSync(join(box.folder, "sum"), "utf8")).toBe(stdout.toString());
    const failed = await runStep(runner, "secret://run/db#password", 3);
    expect(stateOf(failed, "one")).toMatchObject({ reason: expect.stringMatching(/\[secret\]$/) });
    rmSync(join(box.folder, "sum"));
    for (const [reference, why] of [
      ["secret://infra/db#password", "needs T3"],
      ["secret://run/nothing#password", "has nothing there"],
      ["secret://run/../infra/db#password", "not a reference"],
    ] as const) {
      const refused = await runStep(runner, reference);
      expect(stateOf(refused, "one")).toMatchObject({ reason: expect.stringContaining(why) });
    }
    expect(existsSync(join(box.folder, "sum"))).toBe(false);
    await box.close();
    const files = filesBelow(join(box.folder, ".cairn")).map((each) => join(each.parentPath, each.name));
    expect(files.some((path) => path.endsWith("output"))).toBe(true);
    expect(files.filter((path) => readFileSync(path).includes(secret))).toEqual([]);
  });

  it("fails a step whose secrets nobody can fill in, where nothing is governed", async () => {
    await box.remove();
    box = new Governed({ config: "" });
    const run = await runStep({}, "secret://run/db#password");
    expect(stateOf(run, "one")).toMatchObject({ reason: expect.stringContaining("refers to a secret") });
  });
});
