import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { findHead } from "../../src/core/trails/find-checkpoint.ts";
import { flatten, unflatten } from "../../src/core/trails/transfer/flat-document.ts";
import { proveDocument } from "../../src/core/trails/transfer/prove-document.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { openRemote } from "../../src/capabilities/sync/open-remote.ts";
import { moveHead, readRemoteHead } from "../../src/capabilities/sync/remote-trails.ts";
import { writeSetup } from "../../src/capabilities/sync/setup-document.ts";
import { UNSEALED } from "../../src/capabilities/sync/sealing.ts";
import { remoteLags } from "../../src/capabilities/sync/remotes/remote-lag.ts";
import { headsOf, Machines, stateOf, type TestMachine } from "./support/machine.ts";
import { startS3Server, type S3Server } from "./support/s3-server.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };

describe("a remote that cairn.yaml suggests", () => {
  it("gets nothing until the user has added it, and stays what was accepted then", async () => {
    const machines = new Machines();
    const { project } = machines.add("laptop");
    const say = (url: string) =>
      writeFileSync(join(project.root, "cairn.yaml"), `remotes:\n  - name: origin\n    url: ${url}\n`);
    try {
      say(machines.url);
      await verbs.goal(project, { goal: "Ship the login page" });
      const asked = await verbs.push({ ...project }, {}).catch((error: unknown) => error);
      expect(asked).toMatchObject({
        code: "not-found",
        hint: `cairn.yaml suggests ${machines.url}. To use it: checkpoint remote add origin`,
      });
      expect(existsSync(join(machines.folder, "share"))).toBe(false);
      await expect(verbs.remoteAdd({ ...project }, { name: "other" })).rejects.toMatchObject({
        code: "usage",
      });
      await verbs.remoteAdd({ ...project }, { name: "origin" });
      say(`${machines.url}-of-somebody-else`);
      expect((await verbs.push({ ...project }, {})).trails).toMatchObject([{ outcome: "pushed" }]);
      expect(await verbs.remotes({ ...project })).toMatchObject([{ url: machines.url }]);
      expect(existsSync(join(machines.folder, "share-of-somebody-else"))).toBe(false);
    } finally {
      await machines.remove();
    }
  });
});

describe.each(["file", "s3"])("two machines and a %s remote", (kind) => {
  let [machines, server, url]: [Machines, S3Server | undefined, string] = [undefined as never, undefined, ""];
  let [laptop, desk]: [TestMachine, TestMachine] = [undefined as never, undefined as never];
  beforeEach(async () => {
    machines = new Machines();
    server = kind === "s3" ? await startS3Server() : undefined;
    url = server === undefined ? machines.url : `s3://bucket/team?endpoint=${server.endpoint}`;
    laptop = machines.add("laptop", KEYS);
    desk = machines.add("desk", KEYS);
  });
  afterEach(async () => {
    await machines.remove();
    await server?.close();
  });

  /** Both machines have the same trail, and the remote too. */
  async function share(): Promise<void> {
    await verbs.goal(laptop.project, { goal: "Ship the login page" });
    await verbs.remoteAdd(laptop.project, { name: "origin", url });
    await verbs.push(laptop.project, {});
    await verbs.clone(desk.project, { url });
  }

  it("clones everything, byte for byte, and again changes nothing", async () => {
    await share();
    await verbs.decide(laptop.project, { what: "Use SQLite", why: "It is there" });
    await verbs.fork(laptop.project, { as: "trial" });
    const pushed = await verbs.push(laptop.project, {});
    expect(pushed.trails.map(({ trail, outcome, checkpoints }) => [trail, outcome, checkpoints])).toEqual([
      ["main", "pushed", 1],
      ["trial", "pushed", 1],
    ]);
    expect((await verbs.push(laptop.project, {})).trails).toEqual([]);
    const pulled = await verbs.pull(desk.project, {});
    expect(pulled.trails.map(({ trail, outcome }) => `${trail}: ${outcome}`).toSorted()).toEqual([
      "main: fast-forwarded",
      "trial: new",
    ]);
    expect(await headsOf(desk)).toEqual(await headsOf(laptop));
    expect((await verbs.verify(desk.project, {})).damage).toEqual([]);
    expect((await verbs.pull(desk.project, {})).trails.map(({ outcome }) => outcome)).toEqual([
      "up to date",
      "up to date",
    ]);
  });

  it("counts what is new here, also where everything was sent again", async () => {
    await share();
    await verbs.decide(laptop.project, { what: "Use SQLite", why: "It is there" });
    const pushed = await verbs.push(laptop.project, { full: true });
    expect(pushed.trails).toMatchObject([{ outcome: "pushed", checkpoints: 2 }]);
    const { trails } = await verbs.pull(desk.project, {});
    expect(trails).toMatchObject([{ outcome: "fast-forwarded", checkpoints: 1 }]);
    expect(await headsOf(desk)).toEqual(await headsOf(laptop));
  });

  it("has nothing to push before the first checkpoint, and syncs all the same", async () => {
    await verbs.remoteAdd(laptop.project, { name: "origin", url });
    await expect(verbs.push(laptop.project, {})).rejects.toMatchObject({ code: "not-found" });
    expect(await verbs.sync(laptop.project, {})).toMatchObject({ pulled: [], pushed: [], failed: [] });
  });

  it("keeps trails with the longest names there are", async () => {
    for (const trail of ["ü".repeat(200), `${"a/".repeat(99)}z`, "a".repeat(200)])
      await verbs.goal(laptop.project, { goal: "Ship it", trail });
    await verbs.remoteAdd(laptop.project, { name: "origin", url });
    await verbs.push(laptop.project, {});
    await verbs.clone(desk.project, { url });
    expect(await headsOf(desk)).toEqual(await headsOf(laptop));
  });

  it.each(["new", "moved"])("brings no run before it is marked as pulled: a %s one", async (which) => {
    await share();
    const cairn = await laptop.project.stores.open(laptop.project, "write");
    const run = cairn.trail("run/build-1");
    await run.commit((state) => void (state.goal = "Build"));
    await verbs.push(laptop.project, {});
    if (which === "moved") {
      await verbs.pull(desk.project, {});
      await run.commit((state) => void (state.goal = "Build something else"));
      await verbs.push(laptop.project, {});
    }
    const before = await headsOf(desk);
    const trusted = join(desk.home, ".local/state/cairn/trusted");
    rmSync(trusted, { recursive: true });
    writeFileSync(trusted, "");
    await expect(verbs.pull(desk.project, {})).rejects.toThrow("trusted");
    expect(await headsOf(desk)).toEqual(before);
  });

  it("does not say that a key is kept whose file is damaged", async () => {
    await verbs.goal(laptop.project, { goal: "Ship it" });
    await verbs.remoteAdd(laptop.project, { name: "origin", url, encrypt: true });
    const { key, key_id } = await verbs.keyExport(laptop.project, {});
    writeFileSync(join(laptop.home, ".local/state/cairn/keys", key_id), "x");
    await expect(verbs.keyImport(laptop.project, { key })).rejects.toMatchObject({ code: "corrupt" });
  });

  function empty(): void {
    if (server !== undefined) return server.objects.clear();
    rmSync(join(machines.folder, "share"), { recursive: true, force: true });
    mkdirSync(join(machines.folder, "share"));
  }

  it("does not take a place for readable that was sealed and has been emptied since", async () => {
    await verbs.goal(laptop.project, { goal: "A plan that nobody must read" });
    await verbs.remoteAdd(laptop.project, { name: "origin", url, encrypt: true });
    await verbs.push(laptop.project, {});
    const again = { name: "origin", url: url.replace(/(team|share)/, "$1/") };
    await verbs.remoteRemove(laptop.project, { name: "origin" });
    empty();
    await expect(verbs.remoteAdd(laptop.project, again)).rejects.toMatchObject({ code: "refused" });
    await writeSetup(await openRemote(url, { env: KEYS, wait: async () => {} }), { keyId: null });
    await expect(verbs.remoteAdd(laptop.project, again)).rejects.toMatchObject({ code: "refused" });
    // Nothing here knows that it was sealed but the user.
    await expect(verbs.clone(desk.project, { url, encrypt: true })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(existsSync(desk.project.folder)).toBe(false);
    await verbs.clone(desk.project, { url });
    // What was cloned as readable does not pass for sealed when the clone is repeated.
    await expect(verbs.clone(desk.project, { url, encrypt: true })).rejects.toMatchObject({
      code: "conflict",
    });
    empty();
    await verbs.remoteAdd(laptop.project, { ...again, encrypt: true });
  });

  it("notices a remote that was emptied, and fills it again", async () => {
    await share();
    await verbs.fork(laptop.project, { as: "trial" });
    await verbs.push(laptop.project, {});
    empty();
    const dry = await verbs.push(laptop.project, { dryRun: true });
    expect(dry.trails.map(({ outcome }) => outcome)).toEqual(["would push", "would push"]);
    expect((await verbs.push(laptop.project, {})).trails).toMatchObject([
      { trail: "main", outcome: "pushed", checkpoints: 1 },
      { trail: "trial", outcome: "pushed" },
    ]);
    const later = machines.add("later", KEYS);
    await verbs.clone(later.project, { url });
    expect(await headsOf(later)).toEqual(await headsOf(laptop));
  });

  it("says beforehand that another machine moved a trail, and not that both did", async () => {
    await share();
    await verbs.next(laptop.project, { next_action: "Write the test" });
    await verbs.push(laptop.project, {});
    const before = await headsOf(desk);
    expect((await verbs.push(desk.project, { trail: "main", dryRun: true })).trails).toMatchObject([
      { trail: "main", outcome: "would fetch", as: "main", kept: null },
    ]);
    expect(await headsOf(desk)).toEqual(before);
  });

  it("says which trails stay here because of their names, and how far the remote lags", async () => {
    await share();
    await verbs.fork(laptop.project, { as: "plan@home" });
    await verbs.goal(laptop.project, { goal: "Ship it", trail: "plan@home" });
    await verbs.next(laptop.project, { next_action: "Write the test" });
    expect(await remoteLags(laptop.project)).toMatchObject([{ remote: "origin", trails: 1, checkpoints: 1 }]);
    expect((await verbs.push(laptop.project, {})).trails).toMatchObject([{ trail: "main" }]);
    expect(await remoteLags(laptop.project)).toMatchObject([{ trails: 0, checkpoints: 0 }]);
    const stays = /plan@home stays here.*\nTo push it too: checkpoint push --trail plan@home/;
    expect(laptop.notices.splice(0).join()).toMatch(stays);
    expect((await verbs.push(laptop.project, { trail: "plan@home" })).trails).toMatchObject([
      { trail: "plan@home", outcome: "pushed" },
    ]);
    await verbs.push(laptop.project, {});
    expect(laptop.notices.join()).not.toMatch(stays);
  });

  it("keeps both lines of a trail that went on in two places, here and on the remote", async () => {
    await share();
    await verbs.next(laptop.project, { next_action: "Write the test" });
    await verbs.next(desk.project, { next_action: "Draw the page" });
    await verbs.push(laptop.project, {});
    const before = await headsOf(desk);
    const { trails } = await verbs.push(desk.project, {});
    expect(trails).toMatchObject([
      { trail: "main", outcome: "diverged", as: "main@desk", kept: "main@laptop", checkpoints: 1 },
    ]);
    expect(await headsOf(desk)).toEqual({ ...before, "main@laptop": (await headsOf(laptop))["main"] });
    await verbs.status(desk.project, {});
    expect(desk.notices).toContain(
      "main continued in two places: the other line is main@laptop.\nTo join them: checkpoint pull --join --trail main",
    );
    await verbs.pull(laptop.project, {});
    expect(await headsOf(laptop)).toMatchObject({ "main@desk": before["main"] });
    expect((await stateOf(laptop)).next_action).toBe("Write the test");
    expect((await verbs.verify(desk.project, {})).damage).toEqual([]);
    // Again, and nothing more happens.
    const settled = await headsOf(desk);
    await verbs.sync(desk.project, {});
    await verbs.pull(desk.project, {});
    expect(await headsOf(desk)).toEqual(settled);
  });

  it("joins lines that do not clash, and all machines converge", async () => {
    await share();
    await verbs.decide(laptop.project, { what: "Use SQLite", why: "It is there" });
    await verbs.taskAdd(desk.project, { subject: "Draw the page" });
    await verbs.sync(laptop.project, {});
    const mine = (await headsOf(desk))["main"];
    const { trails } = await verbs.pull(desk.project, { join: true });
    expect(trails).toMatchObject([{ trail: "main", outcome: "joined" }]);
    const state = await stateOf(desk);
    expect([state.goal, state.decisions.length, state.tasks.length]).toEqual(["Ship the login page", 1, 1]);
    const { store } = await desk.project.stores.open(desk.project, "read");
    const head = await findHead(store, "main");
    expect(head?.info).toMatchObject({ trigger: "join", merged_from: mine });
    const exported = flatten(
      await (await desk.project.stores.open(desk.project, "read")).trail("main").load(),
    );
    expect(exported).toMatchObject({ merged_from: mine });
    expect(proveDocument(unflatten(exported))).toBe(true);
    expect((await verbs.push(desk.project, {})).trails).toMatchObject([{ trail: "main", outcome: "pushed" }]);
    await verbs.pull(laptop.project, {});
    expect(await headsOf(laptop)).toEqual(await headsOf(desk));
    await verbs.status(laptop.project, {});
    expect(laptop.notices.filter((text) => text.includes("two places"))).toEqual([]);
    for (const { project } of [laptop, desk]) expect((await verbs.verify(project, {})).damage).toEqual([]);
  });

  it("joins the line that a machine left behind which is gone, and every machine loses it", async () => {
    await share();
    await verbs.decide(laptop.project, { what: "Use SQLite", why: "It is there" });
    await verbs.taskAdd(desk.project, { subject: "Draw the page" });
    await verbs.goal(desk.project, { goal: "Said by the desk" });
    await verbs.push(laptop.project, {});
    await verbs.push(desk.project, {});
    // The desk is gone. Whoever syncs sees its line, and leaves it alone.
    await verbs.goal(laptop.project, { goal: "Said by the laptop" });
    await verbs.sync(laptop.project, { join: true });
    expect(Object.keys(await headsOf(laptop)).toSorted()).toEqual(["main", "main@desk"]);
    const clashed = await verbs.pull(laptop.project, { join: true });
    expect(clashed.failed).toMatchObject([{ trail: "main@desk", code: "conflict" }]);
    await verbs.goal(laptop.project, { goal: "Said by the desk" });
    const before = (await headsOf(laptop))["main"];
    expect((await verbs.pull(laptop.project, { join: true })).trails).toContainEqual(
      expect.objectContaining({ trail: "main", outcome: "joined", machine: "desk" }),
    );
    const { store } = await laptop.project.stores.open(laptop.project, "read");
    const head = await findHead(store, "main");
    expect(head?.info).toMatchObject({ trigger: "join", parent_hash: before });
    const state = await stateOf(laptop);
    expect([state.decisions.length, state.tasks.length]).toEqual([1, 1]);
    expect(await headsOf(laptop)).toEqual({ main: head?.info.content_hash });
    expect((await verbs.push(laptop.project, {})).trails).toMatchObject([{ outcome: "pushed" }]);
    const fresh = machines.add("fresh", KEYS);
    await verbs.clone(fresh.project, { url });
    await verbs.pull(desk.project, {});
    for (const machine of [fresh, desk]) expect(await headsOf(machine)).toEqual(await headsOf(laptop));
    for (const { project } of [laptop, fresh, desk])
      expect((await verbs.verify(project, {})).damage).toEqual([]);
  });

  it("refuses an old head that somebody put back, unless this machine has seen nothing newer", async () => {
    await share();
    const { store } = await desk.project.stores.open(desk.project, "read");
    const old = (await headsOf(desk))["main"];
    await verbs.next(laptop.project, { next_action: "Write the test" });
    await verbs.push(laptop.project, {});
    await verbs.pull(desk.project, {});
    const head = (await headsOf(desk))["main"];
    await putOldHeadBack();
    const { failed, trails } = await verbs.pull(desk.project, {});
    expect(trails).toEqual([]);
    expect(failed).toMatchObject([
      { trail: "main", code: "corrupt", message: expect.stringContaining("an older state") as string },
    ]);
    expect(await store.head("main")).toBe(head);
    await expect(verbs.remoteShow(desk.project, { trail: "main" })).rejects.toMatchObject({
      code: "corrupt",
    });
    const fresh = machines.add("fresh", KEYS);
    await verbs.clone(fresh.project, { url });
    expect((await headsOf(fresh))["main"]).toBe(old);
    // A push that has nothing new notices too.
    expect(await verbs.push(desk.project, {})).toMatchObject({ trails: [], failed: [{ trail: "main" }] });
    // Nothing goes on top of it either, here or in a dry run, until somebody says so.
    await verbs.next(desk.project, { next_action: "Draw the page" });
    for (const input of [{}, { trail: "main" }, { dryRun: true }]) {
      const pushed = await verbs.push(desk.project, input);
      expect(pushed).toMatchObject({ trails: [], failed: [{ trail: "main", code: "corrupt" }] });
      expect(pushed.failed[0]?.hint).toContain("checkpoint push --full --trail main");
    }
    expect((await verbs.pull(fresh.project, {})).trails).toMatchObject([{ outcome: "up to date" }]);
    expect((await verbs.push(desk.project, { trail: "main", full: true })).failed).toEqual([]);
    await verbs.pull(fresh.project, {});
    expect(await headsOf(fresh)).toEqual(await headsOf(desk));
  });

  it("brings the other trails where one head is damaged, and a push of everything repairs it", async () => {
    await share();
    await verbs.fork(laptop.project, { as: "trial" });
    await verbs.push(laptop.project, {});
    const junk = Buffer.from("junk");
    if (server !== undefined) server.objects.set("team/heads/main", junk);
    else writeFileSync(join(machines.folder, "share/heads/main/000000000002"), junk);
    const { trails, failed } = await verbs.pull(desk.project, {});
    expect(trails).toMatchObject([{ trail: "trial", outcome: "new" }]);
    expect(failed).toMatchObject([{ trail: "main", code: "corrupt" }]);
    await verbs.next(laptop.project, { next_action: "Write the test" });
    await verbs.next(laptop.project, { next_action: "Try it", trail: "trial" });
    expect(await verbs.push(laptop.project, {})).toMatchObject({
      trails: [{ trail: "trial", outcome: "pushed" }],
      failed: [{ trail: "main", code: "corrupt", hint: expect.stringContaining("push --full") as string }],
    });
    expect((await verbs.sync(laptop.project, {})).failed).toHaveLength(1);
    await verbs.push(laptop.project, { trail: "main", full: true });
    expect((await verbs.pull(desk.project, {})).failed).toEqual([]);
    expect(await headsOf(desk)).toEqual(await headsOf(laptop));
  });

  it("takes no trail of governance, and none whose name is invalid, but all others", async () => {
    await share();
    const reserved = ["cairn/governance", "cairn/evidence", "../up"];
    const trails = { sealing: UNSEALED, remote: await openRemote(url, { env: KEYS, wait: async () => {} }) };
    const { head } = (await readRemoteHead(trails, "main"))!;
    for (const trail of reserved) await moveHead(trails, { ...head, trail }, undefined);
    await verbs.fork(laptop.project, { as: "trial" });
    await verbs.push(laptop.project, {});
    const { trails: pulled, failed } = await verbs.pull(desk.project, {});
    expect(failed.map(({ trail, code }) => `${trail} ${code}`).toSorted()).toEqual(
      reserved.map((trail) => `${trail} corrupt`).toSorted(),
    );
    expect(pulled.map(({ trail }) => trail).toSorted()).toEqual(["main", "trial"]);
    expect(Object.keys(await headsOf(desk)).toSorted()).toEqual(["main", "trial"]);
  });

  it("sends no trail of governance", async () => {
    await share();
    const cairn = await laptop.project.stores.open(laptop.project, "write");
    await cairn.trail("cairn/evidence").commit((state) => void (state.goal = "Tested"));
    expect((await verbs.push(laptop.project, {})).trails).toEqual([]);
    await expect(verbs.push(laptop.project, { trail: "cairn/evidence" })).rejects.toMatchObject({
      code: "usage",
    });
  });

  /** The head of main as it was after the first push. */
  async function putOldHeadBack(): Promise<void> {
    if (server !== undefined) {
      server.objects.set("team/heads/main", server.heads[0] as Uint8Array);
      return;
    }
    const versions = join(machines.folder, "share/heads/main");
    const names = readdirSync(versions).toSorted();
    const next = String(names.length + 1).padStart(12, "0");
    copyFileSync(join(versions, names[0] as string), join(versions, next));
  }

  it("keeps both tasks that two machines gave the same number, and what waits for them", async () => {
    await share();
    await verbs.taskAdd(laptop.project, { subject: "Draw the page" });
    await verbs.push(laptop.project, {});
    await verbs.taskAdd(desk.project, { subject: "Write the test" });
    await verbs.taskAdd(desk.project, { subject: "Run it", blocked_by: ["1"] });
    expect((await verbs.pull(desk.project, { join: true })).failed).toEqual([]);
    const { tasks } = await stateOf(desk);
    const shown = tasks.map(({ id, subject, blocked_by }) => [id, subject, ...blocked_by].join(" "));
    expect(shown.toSorted()).toEqual(["1 Draw the page", "2 Run it 3", "3 Write the test"]);
    await verbs.push(desk.project, {});
    await verbs.pull(laptop.project, {});
    expect(await headsOf(laptop)).toEqual(await headsOf(desk));
  });

  it("joins what both wrote in the same words, although at different times", async () => {
    await share();
    for (const { project } of [laptop, desk]) await verbs.taskAdd(project, { subject: "Draw the page" });
    await verbs.push(laptop.project, {});
    expect((await verbs.pull(desk.project, { join: true })).failed).toEqual([]);
    expect((await stateOf(desk)).tasks).toMatchObject([{ id: "1", subject: "Draw the page" }]);
  });

  it("refuses to join what clashes, names it, and changes nothing", async () => {
    await share();
    await verbs.goal(laptop.project, { goal: "Ship it on Monday" });
    await verbs.goal(desk.project, { goal: "Ship it on Friday" });
    await verbs.push(laptop.project, {});
    const before = (await headsOf(desk))["main"];
    const { trails, failed } = await verbs.pull(desk.project, { join: true });
    expect(trails).toEqual([]);
    expect(failed).toMatchObject([
      { trail: "main", code: "conflict", message: expect.stringContaining("both changed goal") as string },
    ]);
    expect((await headsOf(desk))["main"]).toBe(before);
    // As the hint says: the same here, then they join.
    await verbs.goal(desk.project, { goal: "Ship it on Monday" });
    expect((await verbs.pull(desk.project, { join: true })).trails).toMatchObject([{ outcome: "joined" }]);
    await verbs.push(desk.project, {});
    await verbs.pull(laptop.project, {});
    expect((await headsOf(laptop))["main"]).toBe((await headsOf(desk))["main"]);
  });
});
