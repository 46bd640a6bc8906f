import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { until } from "../cli/support/until.ts";
import { violations } from "../cli/support/validate.ts";
import { startService } from "./support/world.ts";

const SECRET = { CHECKPOINT_WEBHOOK_SECRET: "whsec_c2VjcmV0LXNlY3JldA==" };

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../schemas/${name}.json`), "utf8")) as Record<
    string,
    unknown
  >;

describe("checkpoint integrations", () => {
  it("says what is missing until it is configured, accepted and has its secret", () => {
    box.run(["now"]);
    expect(box.see("integrations", "run")).toMatchInlineSnapshot(`
      "! error: No integration is configured.
      ! hint: Name one in cairn.yaml, under integrations: docs/integrations.md
      [exit 2]"
    `);
    box.write("cairn.yaml", `integrations: { webhooks: [{ name: here, url: "http://127.0.0.1:1/" }] }\n`);
    expect(box.see("integrations", "run")).toMatchInlineSnapshot(`
      "! error: You have not accepted the integrations of this cairn.yaml as they are.
      ! hint: They say where events go, and who may approve. Read them, then: checkpoint config --accept-integrations
      [exit 4]"
    `);
    expect(box.run(["config", "--accept-integrations"], { env: { CHECKPOINT_AGENT: "bot" } })).toMatchObject({
      status: 4,
    });
    expect(box.run(["config", "--accept-integrations"]).stderr).toContain(
      "Accepted the integrations webhooks.",
    );
    expect(box.see("integrations", "test")).toMatchInlineSnapshot(`
      "fails  webhooks  Signing webhooks needs $CHECKPOINT_WEBHOOK_SECRET. Set $CHECKPOINT_WEBHOOK_SECRET to it, or to its place in the vault: secret://integrations/PATH#KEY
      [exit 1]"
    `);
    const { stdout } = box.run(["integrations", "test", "--json"], { env: SECRET });
    expect(violations(JSON.parse(stdout), schemaOf("integrations-test"))).toEqual([]);
    expect(stdout).toContain("The webhook here cannot be reached");
    expect(box.see("integrations", "listen")).toMatchInlineSnapshot(`
      "! error: None of the configured integrations takes anything.
      ! hint: github and slack do: docs/integrations.md
      [exit 2]"
    `);
    expect(box.see("integrations", "dead")).toMatchInlineSnapshot(`"! Everything was delivered."`);
  });

  it("tells what happens until Ctrl-C, and keeps its secret out of the store and of what it prints", async () => {
    const { url, got } = await startService(() => ({}));
    box.run(["now"]);
    box.write("cairn.yaml", `integrations: { webhooks: [{ name: here, url: "${url}", kinds: [commit] }] }\n`);
    box.run(["config", "--accept-integrations"]);
    const { CAIRN_TEST_NOW: _, ...env } = box.environment();
    const teller = spawn(process.execPath, [resolve("bin/checkpoint.js"), "integrations", "run", "--json"], {
      cwd: box.folder,
      env: { ...env, ...SECRET },
    });
    let printed = "";
    for (const stream of [teller.stdout, teller.stderr])
      stream.on("data", (part) => (printed += String(part)));
    // Its cursor is there once it follows.
    await new Promise((over) => setTimeout(over, 1500));
    box.run(["now", "--notes", "second"]);
    await until("the event", () => got.length === 1);
    const ended = once(teller, "exit");
    teller.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    const document = JSON.parse(printed) as object;
    expect(violations(document, schemaOf("integrations-run"))).toEqual([]);
    expect(document).toMatchObject({ outlets: ["webhooks.here"], stopped: [] });
    const secret = SECRET.CHECKPOINT_WEBHOOK_SECRET.slice("whsec_".length);
    expect(printed).not.toContain(secret);
    const files = readdirSync(join(box.folder, ".cairn")).map((name) => join(box.folder, ".cairn", name));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(readFileSync(file).includes(secret)).toBe(false);
  });
});
