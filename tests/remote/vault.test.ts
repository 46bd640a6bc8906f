import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { FakeVault } from "../governance/support/fake-vault.ts";
import { Machines, stateOf, type TestMachine } from "./support/machine.ts";
import { startS3Server, type S3Server } from "./support/s3-server.ts";

let [vault, s3, machines]: [FakeVault, S3Server, Machines] = [] as never;
let [laptop, url]: [TestMachine, string] = [] as never;
const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
const env = () => ({ ...KEYS, VAULT_ADDR: vault.address, VAULT_TOKEN: vault.token });

beforeEach(async () => {
  [vault, s3, machines] = [new FakeVault(), await startS3Server(), new Machines()];
  await vault.start();
  url = `s3://bucket/app?endpoint=${s3.endpoint}`;
  laptop = machines.add("laptop", env());
  await verbs.goal(laptop.project, { goal: "Read by nobody else" });
});
afterEach(async () => {
  vault.stop();
  await s3.close();
  await machines.remove();
});

/** All that a machine keeps of keys. */
function keysOf({ home }: TestMachine): string[] {
  const folder = join(home, ".local", "state", "cairn", "keys");
  return existsSync(folder) ? readdirSync(folder) : [];
}

const SETUP = "app/cairn.json";
const setup = () => JSON.parse(Buffer.from(s3.objects.get(SETUP)!).toString());

describe("a key that Vault wraps", () => {
  beforeEach(async () => {
    await verbs.remoteAdd(laptop.project, { name: "origin", url: url, vault: "remotes" });
    await verbs.push(laptop.project, {});
  });

  it("is on no disk but wrapped, and opens the remote wherever the vault can be asked", async () => {
    const { keyId, wrapped } = setup();
    expect(wrapped).toMatchObject({ by: "remotes", key: expect.stringContaining("vault:v1:") });
    expect(keysOf(laptop)).toEqual([`${keyId}.wrapped`]);
    const { key } = await verbs.keyExport(laptop.project, {});
    const raw = Buffer.from(key.trim().split(" ")[1]!, "base64url");
    const kept = readFileSync(
      join(laptop.home, ".local", "state", "cairn", "keys", keysOf(laptop)[0]!),
      "utf8",
    );
    for (const form of ["base64", "base64url", "hex"] as const)
      for (const text of [kept, JSON.stringify(setup())]) expect(text).not.toContain(raw.toString(form));

    const desk = machines.add("desk", env());
    await verbs.clone(desk.project, { url: url });
    expect((await stateOf(desk)).goal).toBe("Read by nobody else");
    await verbs.goal(desk.project, { goal: "From the desk" });
    await verbs.push(desk.project, {});
    await verbs.pull(laptop.project, {});
    expect((await stateOf(laptop)).goal).toBe("From the desk");
  });

  it("wraps nothing but the key: the vault never sees what is pushed", async () => {
    const asked = vault.requests.length;
    await verbs.goal(laptop.project, { goal: "x".repeat(10_000) });
    await verbs.push(laptop.project, {});
    const words = vault.requests.slice(asked).filter((request) => !request.includes("renew-self"));
    expect(words).toEqual(["POST transit/decrypt/remotes"]);
  });

  it("does not lead a token elsewhere, whatever a place says of its key", async () => {
    const asked = vault.requests.length;
    const desk = machines.add("desk", env());
    for (const by of ["../../sys/seal", "a/../../auth/token/revoke-self", "", "."]) {
      s3.objects.set(SETUP, Buffer.from(JSON.stringify({ ...setup(), wrapped: { by, key: "vault:v1:x" } })));
      await expect(verbs.clone(desk.project, { url: url })).rejects.toMatchObject({ code: "corrupt" });
    }
    expect(vault.requests.slice(asked)).toEqual([]);
  });

  it("cannot be had without the vault, and says what helps", async () => {
    const desk = machines.add("desk", KEYS);
    await expect(verbs.clone(desk.project, { url: url })).rejects.toMatchObject({
      code: "missing-dependency",
      hint: expect.stringMatching(/VAULT_ADDR.*key import/),
    });
    expect(existsSync(join(desk.project.root, ".cairn"))).toBe(false);
    vault.state = "sealed";
    await verbs.goal(laptop.project, { goal: "Saved in any case" });
    await expect(verbs.push(laptop.project, {})).rejects.toMatchObject({ code: "missing-dependency" });
    // A copy of the key itself opens it without a vault.
    vault.state = "active";
    const copy = await verbs.keyExport(laptop.project, {});
    vault.state = "sealed";
    await verbs.keyImport(desk.project, copy);
    await verbs.clone(desk.project, { url: url });
    expect((await stateOf(desk)).goal).toBe("Read by nobody else");
  });

  it("is wrapped anew after the Transit key was rotated", async () => {
    await fetch(`${vault.address}/v1/transit/keys/remotes/rotate`, {
      method: "POST",
      headers: { "x-vault-token": vault.token },
    });
    await verbs.goal(laptop.project, { goal: "With the old version" });
    await verbs.push(laptop.project, {});
    await verbs.remoteAdd(laptop.project, { name: "again", url: url, vault: "remotes" });
    expect(setup().wrapped.key).toContain("vault:v2:");
    vault.minDecryptionVersion = 2;
    await verbs.push(laptop.project, { remote: "origin", full: true });
    const desk = machines.add("desk", env());
    await verbs.clone(desk.project, { url: url });
    expect((await stateOf(desk)).goal).toBe("With the old version");
  });

  it("comes back from a machine when the place loses it, and is not taken from a place that changed it", async () => {
    const before = setup();
    s3.objects.clear();
    await verbs.push(laptop.project, { full: true });
    expect(setup()).toEqual(before);

    const answer = await fetch(`${vault.address}/v1/transit/encrypt/remotes`, {
      method: "POST",
      headers: { "x-vault-token": vault.token },
      body: JSON.stringify({ plaintext: Buffer.alloc(32, 7).toString("base64") }),
    });
    const { data } = (await answer.json()) as { data: { ciphertext: string } };
    const changed = { ...before, wrapped: { by: "remotes", key: data.ciphertext } };
    s3.objects.set(SETUP, Buffer.from(JSON.stringify(changed)));
    const desk = machines.add("desk", env());
    await expect(verbs.clone(desk.project, { url: url })).rejects.toMatchObject({ code: "corrupt" });
    expect(keysOf(desk)).toEqual([]);
    await verbs.goal(laptop.project, { goal: "Still works" });
    expect((await verbs.push(laptop.project, {})).trails).toMatchObject([{ outcome: "pushed" }]);
  });

  it("can be put over a remote that was sealed without one", async () => {
    const other = `file://${join(machines.folder, "other")}`;
    await verbs.remoteAdd(laptop.project, { name: "plain", url: other, encrypt: true });
    await verbs.push(laptop.project, { remote: "plain" });
    await verbs.remoteAdd(laptop.project, { name: "wrapped", url: other, vault: "remotes" });
    const desk = machines.add("desk", env());
    await verbs.clone(desk.project, { url: other });
    expect((await stateOf(desk)).goal).toBe("Read by nobody else");
  });
});

it("credentials for S3 come from the vault, and are written nowhere", async () => {
  vault.secrets.set("secret/data/cairn/project/remote/origin", { id: "key", secret: "hunter2-in-vault" });
  const references = {
    AWS_ACCESS_KEY_ID: "secret://remote/origin#id",
    AWS_SECRET_ACCESS_KEY: "secret://remote/origin#secret",
  };
  const desk = machines.add("desk", { ...env(), ...references });
  await verbs.goal(desk.project, { goal: "Over S3" });
  await verbs.remoteAdd(desk.project, { name: "origin", url });
  expect((await verbs.push(desk.project, {})).trails).toMatchObject([{ outcome: "pushed" }]);
  await desk.project.stores.close();
  const files = readdirSync(desk.home, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), "latin1")).not.toContain("hunter2-in-vault");

  const wrong = machines.add("wrong", { ...env(), ...references, AWS_ACCESS_KEY_ID: "secret://run/db#id" });
  await verbs.goal(wrong.project, { goal: "Refused" });
  await expect(verbs.remoteAdd(wrong.project, { name: "origin", url })).rejects.toMatchObject({
    code: "usage",
    hint: expect.stringContaining("PART is remote"),
  });
});
