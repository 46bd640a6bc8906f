import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { migratePostgresStore } from "../../src/capabilities/postgres/store.ts";
import { openGovernance } from "../../src/capabilities/governance/project-gate/open-governance.ts";
import { admissionFor } from "../../src/capabilities/governance/project-gate/governed-cairn.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { copyStores } from "../../src/capabilities/postgres/verbs/shared-stores.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();
if (programs === undefined)
  console.warn("No PostgreSQL on this machine: governance on a shared store is not tested.");

describe.skipIf(programs === undefined)("governance on a shared store", () => {
  let server: TestServer;
  const home = mkdtempSync(join(tmpdir(), "cairn-shared-gov-"));
  const open: verbs.Project[] = [];
  let store: string;
  beforeAll(async () => {
    server = await startServer(programs as string);
    store = `${server.url}?schema=gov`;
    await migratePostgresStore({ url: server.url, schema: "gov" });
    mkdirSync(join(home, "project"));
    mkdirSync(join(home, "elsewhere"));
    writeFileSync(join(home, "project/cairn.yaml"), "governance: on\n");
  });
  afterAll(async () => {
    await Promise.all(open.map(({ stores }) => stores.close()));
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Each has a connection of its own, as machines do. */
  const as = (agent: string, token = ""): verbs.Project => {
    const env = {
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      CHECKPOINT_STORE: store,
      CHECKPOINT_AGENT_TOKEN: token,
    };
    const project = verbs.openProject({ path: join(home, "project"), agent, env });
    open.push(project);
    return project;
  };

  /** Of each of six. A ledger is sealed at a hundred entries, which each of them counts in one save of eight: one is sure to find it due. */
  const SAVES = 26;

  it("keeps whole chains while many write to many trails, and what counts once is decided alone", async () => {
    const key = makeAuthorityKey(
      { env: { HOME: home }, userId: process.geteuid?.() },
      "correct horse battery",
      {
        N: 1024,
        r: 8,
        p: 1,
      },
    );
    await verbs.authorityInit(as("admin"), async () => key);
    const { token } = await verbs.agentRegister(as("admin"), "bot");
    const bots = Array.from({ length: 6 }, () => as("bot", token));
    const saves = bots.map(async (bot, who) => {
      for (let i = 0; i < SAVES; i++)
        await verbs.now(bot, { trail: `work-${who}`, variables: { i: String(i) } });
    });
    await Promise.all(saves);
    // Sealed meanwhile: a seal that was made for another place would be named.
    const report = await verbs.ledgerVerify(as("admin"), []);
    expect(report).toMatchObject({ problem: undefined, forged: [] });
    expect(report.seals).toBeGreaterThanOrEqual(1);
    expect(report.entries).toBeGreaterThan(6 * SAVES);

    const asked = await verbs.gate(as("bot", token), { action: "infra.x" });
    await verbs.agentApprove(as(""), asked.request as string, async () => key);
    const used = await Promise.allSettled(
      bots.map(async (bot, who) => {
        const governance = await openGovernance(bot);
        const admission = await admissionFor(bot, governance, { action: "infra.x" });
        const { commitWork } = await import("../../src/work/project/commit-work.ts");
        return commitWork(bot, {
          trail: `work-${who}`,
          admission,
          trigger: "exec",
          notes: "x",
          fresh: {},
          change: () => {},
        });
      }),
    );
    expect(used.filter(({ status }) => status === "fulfilled")).toHaveLength(1);

    await verbs.agentRevoke(as("admin"), { agent: "bot", reason: "test" });
    for (const bot of bots) await expect(verbs.now(bot, {})).rejects.toMatchObject({ code: "refused" });
    // A store where nobody governs is no way around it.
    const elsewhere = join(home, "elsewhere");
    const own = verbs.openProject({ path: elsewhere, env: { HOME: home } });
    open.push(own);
    await verbs.now(own, {});
    await expect(copyStores(as("bot", token), { from: elsewhere, to: "shared" })).rejects.toMatchObject({
      code: "refused",
    });
    expect(await verbs.ledgerVerify(as("admin"), [])).toMatchObject({ problem: undefined });
  });
});
