import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Signer } from "../../src/capabilities/governance/keys/signature.ts";
import {
  agentList,
  agentRegister,
  agentRestore,
  agentRevoke,
} from "../../src/capabilities/governance/verbs/agents.ts";
import { openLatest } from "../../src/capabilities/sync/latest.ts";
import { UNSEALED } from "../../src/capabilities/sync/sealing.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { readSettings } from "../../src/work/project/settings/settings.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { Governed, refusedWith } from "../governance/support/governed.ts";
import {
  CACHE_SERVERS,
  findCacheServer,
  startCacheServer,
  type CacheServer,
} from "./support/cache-server.ts";
import { headsOf, Machines, type TestMachine } from "./support/machine.ts";
import { startS3Server, type S3Server } from "./support/s3-server.ts";

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

    /**
     * A busy machine may need more than the 50 ms that a cache gets: then the answer comes from the remote, and is put there.
     * After two failures it is left alone for five seconds, so asking again at once would only keep the machine busy.
     */
    const patiently = { timeout: 60_000, interval: 500 };
    async function fromCache(confirm = false): Promise<verbs.ShownLatest> {
      return vi.waitFor(async () => {
        s3.requests.length = 0;
        const shown = await show(confirm);
        expect(shown.source).toBe("cache");
        return shown;
      }, patiently);
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
      // Read without the cache's limits, because an answer from the remote may also mean that the cache was slow.
      const cache = { url: server.url, remote: url, sealing: UNSEALED };
      const isTaken = async () =>
        (await openLatest(cache, "main", (await server.client.getBuffer(key))!)) !== undefined;
      for (let at = 0; at < right.length; at += Math.ceil(right.length / 60)) {
        const wrong = Buffer.from(right);
        wrong[at] = (wrong[at] as number) ^ 0x41;
        await server.client.set(key, wrong);
        expect(await isTaken()).toBe(false);
        const shown = await show();
        expect(shown).toMatchObject({ source: "remote", machine: "laptop" });
        expect(shown.checkpoint.state.goal).toBe("Right");
      }
      await server.client.set(key, right);
      expect(await isTaken()).toBe(true);
      await server.client.set(key, right.subarray(0, right.length / 2));
      expect((await show()).checkpoint.state.goal).toBe("Right");
      await server.client.flushall();
      expect(await show()).toMatchObject({ source: "remote", is_confirmed: true });
      await server.stop();
      for (let i = 0; i < 4; i++) expect((await show()).checkpoint.state.goal).toBe("Right");
      await verbs.goal(laptop.project, { goal: "Pushed without it" });
      expect((await verbs.push(laptop.project, {})).trails).toMatchObject([{ outcome: "pushed" }]);
      expect(laptop.notices.join()).toContain("The cache did not take what was pushed");
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

    it("tells whoever holds a head that it has moved, and nobody of what is theirs", async () => {
      await pushed("One");
      let told = 0;
      const moves = await verbs.onRemoteMoved(desk.project, {}, () => void told++);
      // The first time says that it listens now.
      await expect.poll(() => told).toBe(1);
      await vi.waitFor(async () => {
        await pushed(`Two ${Date.now()}`);
        await vi.waitFor(() => expect(told).toBeGreaterThan(1));
      }, patiently);
      // Its own push is published before a message that is: had it been told of, it would have been by then.
      await verbs.pull(desk.project, { trail: "main", join: true });
      const before = told;
      await verbs.push(desk.project, { trail: "main" });
      const [key = ""] = await keys();
      await server.client.publish(`${key}:moved`, "f".repeat(64));
      await expect.poll(() => told).toBe(before + 1);
      moves.end();
    });

    it("tells sync --watch, which does not wait for its next look", async () => {
      await pushed("One");
      const box = new Sandbox();
      const env = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", CHECKPOINT_CACHE: server.url };
      // Not with `run`, which waits without letting this process answer as the bucket.
      expect((await box.start(["clone", url], { env }).ended).status).toBe(0);
      const monitor = await server.client.monitor();
      const listens = new Promise<void>((resolve) => {
        monitor.on("monitor", (_time: string, [command]: string[]) => {
          if (command?.toLowerCase() === "psubscribe") resolve();
        });
      });
      const watching = box.start(["sync", "--watch"], { env });
      try {
        await watching.printed(/Watching/);
        // That it pulls at the next look when it is told, src/capabilities/sync/remotes/watch-remote.test.ts shows.
        await listens;
        await pushed("Two");
        await watching.printed(/main: \d+ checkpoints? from laptop/);
      } finally {
        monitor.disconnect();
        watching.child.kill("SIGINT");
        expect((await watching.ended).status).toBe(130);
        box.remove();
      }
    });

    it("keeps nothing of a head that became too large for it", async () => {
      await pushed("Small");
      await fromCache();
      const variables = { noise: randomBytes(5_000_000).toString("base64") };
      const trail = (await laptop.project.stores.open(laptop.project, "write")).trail("main");
      await trail.commit((state) => void Object.assign(state.variables, variables));
      await vi.waitFor(async () => {
        await verbs.push(laptop.project, { trail: "main" });
        expect(await keys()).toEqual([]);
      }, patiently);
      expect((await show()).source).toBe("remote");
    });

    it("has what the ledger says of agents, and decides nothing", async () => {
      const box = new Governed();
      try {
        await box.found();
        const env = { CHECKPOINT_CACHE: server.url };
        const list = () => agentList(box.as(undefined, env));
        const { token } = await agentRegister(box.as(undefined, env), "builder");
        const builder = box.as("builder", { ...env, CHECKPOINT_AGENT_TOKEN: token });
        const states = async () => {
          const names = await server.client.keys("agent:*");
          return (await Promise.all(names.map((name) => server.client.get(name)))).map((text) =>
            JSON.parse(text!),
          );
        };
        const revocations = async () => Object.entries(await server.client.hgetall("revocations:ledger"));
        /** A busy machine may need more than 50 ms: then the next one who lists them puts them there. */
        const settled = (check: () => Promise<void>) =>
          vi.waitFor(async () => {
            await check().catch(list);
            await check();
          }, patiently);

        await settled(async () =>
          expect(await states()).toMatchObject([{ agent: "builder", tier: 0, is_revoked: false }]),
        );
        expect(JSON.stringify(await states())).not.toContain(token);
        // Earned by an ordinary commit, not by a verb about agents.
        for (let i = 0; i < 10; i++) await verbs.now(builder, { notes: `${i}` });
        await settled(async () => expect(await states()).toMatchObject([{ tier: 1 }]));
        expect(await revocations()).toEqual([]);

        const heard: string[] = [];
        const listener = server.client.duplicate();
        await listener.subscribe("revocations:ledger:moved");
        listener.on("message", (channel) => heard.push(channel));
        await agentRevoke(box.as(undefined, env), { agent: "builder", reason: "broke a rule" });
        await settled(async () => {
          expect(await states()).toMatchObject([{ agent: "builder", is_revoked: true }]);
          const [[field, entry] = ["", "{}"]] = await revocations();
          expect(field).toMatch(/^[0-9a-f-]{36}:builder$/);
          expect(JSON.parse(entry)).toMatchObject({ type: "revocation", reason: "broke a rule" });
          expect(heard).toContain("revocations:ledger:moved");
        });
        listener.disconnect();

        const [key = ""] = await server.client.keys("agent:*");
        expect(await server.client.ttl(key)).toBeGreaterThan(0);
        // What a process wrote that knows more of the ledger stays.
        const [newest = ""] = await server.client.keys("agents:*");
        const known = await server.client.get(newest);
        await server.client.mset(newest, "1000000", key, "{}");
        await list();
        expect(await server.client.get(key)).toBe("{}");
        await server.client.set(newest, known!);
        await settled(async () => expect(await states()).toMatchObject([{ is_revoked: true }]));

        // Whatever it says, or if it says nothing, the ledger decides.
        await server.client.set(key, JSON.stringify({ agent: "builder", tier: 4, is_revoked: false }));
        await server.client.del("revocations:ledger");
        expect(await refusedWith(() => verbs.now(builder, {}))).toBe("refused");
        await server.client.flushall();
        expect(await list()).toMatchObject([{ agent: "builder", is_revoked: true }]);
        await settled(async () => expect(await revocations()).toHaveLength(1));
        await server.stop();
        const told: string[] = [];
        const notices = { message: () => {}, warning: (text: string) => void told.push(text) };
        const listed = await agentList({ ...box.as(undefined, env), notices });
        expect(listed).toMatchObject([{ agent: "builder", is_revoked: true }]);
        expect(told.join()).toContain("may show how they stood before");
        expect(await refusedWith(() => verbs.now(builder, {}))).toBe("refused");
        const signing = async () => box.signer as Signer;
        await agentRestore(box.as(undefined, env), { agent: "builder", to: 1 }, signing);
        expect(await refusedWith(() => verbs.now(builder, {}))).toBe("allowed");
      } finally {
        await box.remove();
      }
    });
  });
}

describe("a cache that does not answer", () => {
  it("changes no answer, is left alone after two failures, and nothing is brought into the project", async () => {
    const machines = new Machines();
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      socket.on("error", () => undefined);
    });
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const CHECKPOINT_CACHE = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    try {
      const [laptop, desk] = [machines.add("laptop"), machines.add("desk", { CHECKPOINT_CACHE })];
      for (const { project } of [laptop, desk]) {
        await verbs.goal(project, { goal: `Of ${project.machine.host}` });
        await verbs.remoteAdd(project, { name: "origin", url: machines.url });
      }
      await verbs.push(laptop.project, {});
      const before = await headsOf(desk);
      for (let i = 0; i < 10; i++) {
        const shown = await verbs.remoteShow(desk.project, { trail: "main" });
        expect(shown).toMatchObject({ source: "remote", is_confirmed: true });
        expect(shown.checkpoint.state.goal).toBe("Of laptop");
      }
      // It is tried again after five seconds, which a busy machine may need for all this.
      expect(connections).toBeLessThan(10);
      expect(await headsOf(desk)).toEqual(before);
    } finally {
      silent.close();
      await machines.remove();
    }
  });
});

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
