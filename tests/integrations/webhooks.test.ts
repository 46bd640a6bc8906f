import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { commitAll, useProjects } from "../feed/support/project.ts";
import { configure, openFollowing, startService, withEnv, type Answerer } from "./support/world.ts";

const makeProject = useProjects();
const KEY = Buffer.from("a key of thirty-two bytes, really");
const SECRET = `whsec_${KEY.toString("base64")}`;

/** A project with a webhook for commits, and the service that takes it. */
async function hooked(answer: Answerer = () => ({})) {
  const project = withEnv(makeProject(), { CHECKPOINT_WEBHOOK_SECRET: SECRET });
  await commitAll(project, ["before"]);
  const service = await startService(answer);
  await configure(project, `webhooks:\n  - { name: deploy, url: "${service.url}/in", kinds: [commit] }`);
  return { project, ...service, ...(await openFollowing(project)) };
}

const notes = (got: readonly { json: Record<string, unknown> }[]) =>
  got.map(({ json }) => (json["data"] as { checkpoint: { notes: string } }).checkpoint.notes);

describe("a webhook", () => {
  it("is told what happens from its first start on, each event signed as Standard Webhooks says", async () => {
    const { project, got, catchUp } = await hooked();
    expect(got).toEqual([]);
    await commitAll(project, ["a", "b"]);
    await catchUp();
    expect(notes(got)).toEqual(["a", "b"]);
    for (const { headers, text, json } of got) {
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
      const signature = createHmac("sha256", KEY).update(signed).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
      expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
      expect(json).toMatchObject({ type: "committed", data: { id: headers["webhook-id"], trail: "main" } });
      expect(text).not.toContain("cursor");
    }
    await catchUp();
    expect(got.length).toBe(2);
  });

  it("is tried again, later each time and never sooner than it asks", async () => {
    const answers = [{ status: 500 }, { status: 429, headers: { "retry-after": "60" } }, {}];
    const { project, got, waits, catchUp } = await hooked(() => answers.shift() ?? {});
    await commitAll(project, ["a", "b"]);
    await catchUp();
    expect(notes(got)).toEqual(["a", "a", "a", "b"]);
    expect(new Set(got.slice(0, 3).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(waits).toEqual([1000, 60_000]);
  });

  it("has what never arrived put aside, and delivered again by one command", async () => {
    let isUp = false;
    const { project, got, waits, told, catchUp } = await hooked(() => ({ status: isUp ? 204 : 503 }));
    await commitAll(project, ["a"]);
    await catchUp();
    expect(got.length).toBe(6);
    expect(waits).toEqual([1000, 5000, 30_000, 120_000, 300_000]);
    expect(told.at(-1)).toBe(
      "webhooks.deploy: The webhook deploy answered 503. Put aside: checkpoint integrations dead",
    );
    const { letters } = await verbs.integrationsDead(project);
    expect(letters).toMatchObject([{ outlet: "webhooks.deploy", attempts: 6, event: { type: "committed" } }]);
    expect(await verbs.integrationsResend(project)).toEqual({ sent: 0, left: 1 });
    isUp = true;
    expect(await verbs.integrationsResend(project)).toEqual({ sent: 1, left: 0 });
    expect(got.at(-1)?.headers["webhook-id"]).toBe(got[0]?.headers["webhook-id"]);
    expect((await verbs.integrationsDead(project)).letters).toEqual([]);
    // What was put aside is no event itself.
    await catchUp();
    expect(got.length).toBe(8);
  });

  it("does not try again what the other side will never take, and goes on behind it", async () => {
    const { project, got, catchUp } = await hooked(({ text }) => ({
      status: text.includes('"a"') ? 422 : 200,
    }));
    await commitAll(project, ["a", "b"]);
    await catchUp();
    expect(notes(got)).toEqual(["a", "b"]);
    expect((await verbs.integrationsDead(project)).letters.length).toBe(1);
  });

  it("stops where a person is needed, and loses nothing", async () => {
    let status = 401;
    const { project, got, told, catchUp } = await hooked(() => ({ status }));
    await commitAll(project, ["a", "b"]);
    await catchUp();
    expect(told).toEqual([
      "webhooks.deploy has stopped: The webhook deploy answered 401. The token or secret is wrong or has expired. Set a new one, then start again.",
    ]);
    status = 200;
    await catchUp();
    expect(notes(got)).toEqual(["a", "a", "b"]);
  });

  it("follows no redirect, which could lead the events elsewhere", async () => {
    const elsewhere = await startService(() => ({}));
    const { project, catchUp } = await hooked(() => ({ status: 307, headers: { location: elsewhere.url } }));
    await commitAll(project, ["a"]);
    await catchUp();
    expect(elsewhere.got).toEqual([]);
    expect((await verbs.integrationsDead(project)).letters.length).toBe(1);
  });

  it("is tried by integrations test, which says what is missing", async () => {
    const { project, got } = await hooked();
    expect(await verbs.integrationsTest(project)).toEqual({
      checks: [{ name: "webhooks.deploy", ok: true, found: "took an event of type test", hint: null }],
    });
    expect(got[0]?.json).toMatchObject({ type: "test" });
    const bare = withEnv(project, { CHECKPOINT_WEBHOOK_SECRET: "" });
    expect(await verbs.integrationsTest(bare)).toMatchObject({
      checks: [{ name: "webhooks", ok: false, found: "Signing webhooks needs $CHECKPOINT_WEBHOOK_SECRET." }],
    });
  });
});

describe("a secret in the vault", () => {
  it("signs, where the variable says that it is there, below the integrations of the project only", async () => {
    const { project, got } = await hooked();
    const vault = await startService(() => ({ body: { data: { data: { key: SECRET } } } }));
    const env = { VAULT_ADDR: vault.url, VAULT_TOKEN: "t" };
    const at = (reference: string) => withEnv(project, { ...env, CHECKPOINT_WEBHOOK_SECRET: reference });
    const { checks } = await verbs.integrationsTest(at("secret://integrations/webhooks#key"));
    expect(checks).toMatchObject([{ ok: true }]);
    expect(vault.got.map(({ path }) => path)).toContain(
      "/v1/secret/data/cairn/project/integrations/webhooks",
    );
    const { headers, text } = got.at(-1)!;
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
    const signature = createHmac("sha256", KEY).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    const other = await verbs.integrationsTest(at("secret://infra/root#key"));
    expect(other.checks).toMatchObject([{ ok: false, found: expect.stringContaining("is not a reference") }]);
  });
});

describe("the integrations of a project's cairn.yaml", () => {
  it("are not used before the user has accepted them, nor after a change", async () => {
    const { project } = await hooked();
    const other = 'integrations: { webhooks: [{ name: evil, url: "https://evil.example/in" }] }\n';
    writeFileSync(join(project.root, "cairn.yaml"), other);
    const changed = withEnv(project, {});
    await expect(openFollowing(changed)).rejects.toMatchObject({ code: "refused" });
    await expect(verbs.integrationsTest(changed)).rejects.toThrow("have not accepted");
  });

  it.each(["http://example.com/in", "https://user:pass@example.com/in", "file:///etc/passwd"])(
    "name no address like %s, and the warning does not repeat it",
    async (url) => {
      const project = makeProject();
      writeFileSync(
        join(project.root, "cairn.yaml"),
        `integrations: { webhooks: [{ name: a, url: "${url}" }] }\n`,
      );
      const warnings: string[] = [];
      const notices = { message: () => {}, warning: (text: string) => void warnings.push(text) };
      const opened = verbs.openProject({ path: project.root, env: project.env, notices });
      await verbs.now(opened, {});
      await opened.stores.close();
      expect(warnings.join("\n")).toContain("A webhook needs an https address");
      expect(warnings.join("\n")).not.toContain(url);
    },
  );
});
