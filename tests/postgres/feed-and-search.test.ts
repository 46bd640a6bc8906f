import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migratePostgresStore } from "../../src/capabilities/postgres/store.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { notesIn, told, types } from "../feed/support/project.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("the feed and the search of a shared store", () => {
  let server: TestServer;
  const home = mkdtempSync(join(tmpdir(), "cairn-home-"));
  beforeAll(async () => {
    server = await startServer(programs as string);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  async function openShared(schema: string, agent?: string) {
    const path = join(home, schema);
    mkdirSync(path, { recursive: true });
    const env = { HOME: home, CHECKPOINT_STORE: `${server.url}?schema=${schema}` };
    const project = verbs.openProject({ path, env, agent });
    if (agent === undefined) await migratePostgresStore({ url: server.url, schema });
    return project;
  }

  it("tells every commit once more to a consumer that did not acknowledge it", async () => {
    const project = await openShared("told");
    for (const notes of ["a", "b", "c"]) await verbs.now(project, { notes });
    const events = await told(project, { as: "bot" });
    expect(notesIn(events)).toEqual(["a", "b", "c"]);
    await verbs.eventsAck(project, { cursor: String(events[1]?.cursor), as: "bot" });
    expect(notesIn(await told(project, { as: "bot" }))).toEqual(["c"]);
    await project.stores.close();
  });

  it("tells violations between the actions of trails' chains, and goes on behind each", async () => {
    const project = await openShared("governed");
    writeFileSync(join(project.root, "cairn.yaml"), "governance: on\n");
    for (const notes of ["a", "b"]) await verbs.now(project, { notes });
    for (const name of ["bot", "planner"]) {
      const agent = await openShared("governed", name);
      await expect(verbs.goal(agent, { goal: "Ship it" })).rejects.toThrow(/it needs T1/);
      await agent.stores.close();
      await verbs.now(project, { notes: name });
    }
    const kinds = ["violation", "commit"] as const;
    const events = await told(project, { kinds });
    expect(types(events).filter((type) => type === "violation")).toHaveLength(2);
    for (const [index, { cursor }] of events.entries())
      expect((await told(project, { kinds, after: cursor })).map(({ id }) => id)).toEqual(
        events.slice(index + 1).map(({ id }) => id),
      );
    await project.stores.close();
  });

  it("finds words with an index in the user's state folder", async () => {
    const project = await openShared("found");
    await verbs.decide(project, { what: "Drop the cache", why: "It hid stale sessions" });
    const { hits } = await verbs.search(project, { words: ["stale", "cache"] });
    expect(hits).toMatchObject([{ kind: "decision", trail: "main" }]);
    const folder = join(home, ".local/state/cairn/search");
    const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".sqlite"));
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await project.stores.close();
  });
});
