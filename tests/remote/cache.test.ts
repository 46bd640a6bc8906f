import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as verbs from "../../src/project/index.ts";
import { readSettings } from "../../src/project/settings/settings.ts";
import {
  CACHE_SERVERS,
  findCacheServer,
  startCacheServer,
  type CacheServer,
} from "./support/cache-server.ts";
import { Machines, type TestMachine } from "./support/machine.ts";
import { startS3Server, type S3Server } from "./support/s3-server.ts";

vi.setConfig({ testTimeout: 60_000 });

for (const name of CACHE_SERVERS) {
  const program = findCacheServer(name);
  describe.skipIf(program === undefined)(`a cache in ${name}`, () => {
    let [machines, s3, server]: [Machines, S3Server, CacheServer] = [] as never;
    let [laptop, desk]: [TestMachine, TestMachine] = [] as never;
    let url = "";

    beforeEach(async () => {
      [machines, s3, server] = [new Machines(), await startS3Server(), await startCacheServer(program!)];
      const env = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", CHECKPOINT_CACHE: server.url };
      [laptop, desk] = [machines.add("laptop", env), machines.add("desk", env)];
      url = `s3://bucket/work?endpoint=${s3.endpoint}`;
      await verbs.goal(desk.project, { goal: "Something else" });
    });
    afterEach(async () => {
      await server.stop();
      await s3.close();
      await machines.remove();
    });

    async function pushed(goal: string, { encrypt = false } = {}): Promise<void> {
      await verbs.goal(laptop.project, { goal });
      if ((await verbs.remotes(laptop.project)).length === 0) {
        await verbs.remoteAdd(laptop.project, { name: "origin", url, encrypt });
        if (encrypt) await verbs.keyImport(desk.project, await verbs.keyExport(laptop.project, {}));
        await verbs.remoteAdd(desk.project, { name: "origin", url });
      }
      await verbs.push(laptop.project, {});
      s3.requests.length = 0;
    }
    const show = (confirm = false) => verbs.remoteShow(desk.project, { trail: "main", confirm });
    const keys = () => server.client.keys("checkpoint:*");

    /** A busy machine may need more than the 50 ms that a cache gets: then the answer comes from the remote, and is put there. */
    async function fromCache(confirm = false): Promise<verbs.ShownLatest> {
      return vi.waitFor(async () => {
        s3.requests.length = 0;
        const shown = await show(confirm);
        expect(shown.source).toBe("cache");
        return shown;
      }, 30_000);
    }

    it("answers without the remote, says whose and how old it is, and asks the remote only to confirm", async () => {
      await pushed("Ship it");
      const shown = await fromCache();
      expect(shown).toMatchObject({ machine: "laptop", is_confirmed: false, trail: "main" });
      expect(shown.checkpoint.state.goal).toBe("Ship it");
      expect(s3.requests).toHaveLength(0);
      expect((await fromCache(true)).is_confirmed).toBe(true);
      expect(s3.requests.map(({ method, key }) => [method, key])).toEqual([["GET", "work/heads/main"]]);
    });

    it("never serves what is no longer the newest when it is to be confirmed", async () => {
      await pushed("One");
      await fromCache();
      const [key = ""] = await keys();
      const old = (await server.client.getBuffer(key))!;
      await pushed("Two");
      await server.client.set(key, old);
      const shown = await show(true);
      expect(shown).toMatchObject({ source: "remote", is_confirmed: true });
      expect(shown.checkpoint.state.goal).toBe("Two");
    });

    it("gives the same answer when the cache is empty, wrong at any byte, or gone", async () => {
      await pushed("Right");
      await fromCache();
      const [key = ""] = await keys();
      const right = (await server.client.getBuffer(key))!;
      for (let at = 0; at < right.length; at += Math.ceil(right.length / 60)) {
        const wrong = Buffer.from(right);
        wrong[at] = (wrong[at] as number) ^ 0x41;
        await server.client.set(key, wrong);
        const shown = await show();
        expect(shown).toMatchObject({ source: "remote", machine: "laptop" });
        expect(shown.checkpoint.state.goal).toBe("Right");
      }
      await server.client.set(key, right.subarray(0, right.length / 2));
      expect((await show()).checkpoint.state.goal).toBe("Right");
      await server.client.flushall();
      expect(await show()).toMatchObject({ source: "remote", is_confirmed: true });
      await server.stop();
      for (let i = 0; i < 4; i++) expect((await show()).checkpoint.state.goal).toBe("Right");
      await verbs.goal(laptop.project, { goal: "Pushed without it" });
      expect((await verbs.push(laptop.project, {})).trails).toMatchObject([{ outcome: "pushed" }]);
      expect(laptop.notices.join()).not.toContain("cache");
    });

    it("holds nothing readable of a sealed remote, and notices every change", async () => {
      await pushed("A plan that nobody must read", { encrypt: true });
      await fromCache();
      const [key = ""] = await keys();
      const value = (await server.client.getBuffer(key))!;
      expect(key).not.toContain("main");
      expect(value.toString("latin1")).not.toContain("laptop");
      value[3] = (value[3] as number) ^ 1;
      await server.client.set(key, value);
      expect(await show()).toMatchObject({ source: "remote" });
    });

    it("tells those who listen that a head has moved", async () => {
      await pushed("One");
      await fromCache();
      const [key = ""] = await keys();
      const heard: string[] = [];
      const listener = server.client.duplicate();
      await listener.subscribe(`${key}:moved`);
      listener.on("message", (_channel, id) => heard.push(id));
      await vi.waitFor(async () => {
        await pushed(`Two ${Date.now()}`);
        const { store } = await laptop.project.stores.open(laptop.project, "read");
        expect(heard).toContain(await store.head("main"));
      }, 30_000);
      listener.disconnect();
    });
  });
}

describe("the cache that a project names", () => {
  it("is used only if the user's own list allows it", async () => {
    const machines = new Machines();
    const { home, project } = machines.add("laptop");
    const own = join(home, ".config", "cairn");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(project.root, "cairn.yaml"), "cache: redis://cache.example:6379\n");
    const refused = await readSettings(project, project.root);
    expect(refused.cache).toBeUndefined();
    expect(refused.warnings.join()).toContain('list "cache.example:6379" in allow_endpoints');
    writeFileSync(join(own, "config.yaml"), "allow_endpoints: [cache.example:6379]\n");
    expect((await readSettings(project, project.root)).cache).toBe("redis://cache.example:6379");
    await machines.remove();
  });
});
