import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ObjectId } from "../../src/core/objects/object-id.ts";
import { Machines, type TestMachine } from "./support/machine.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { remoteLags } from "../../src/capabilities/sync/remotes/remote-lag.ts";
import { changeRemote, knownRemotes, suggestion } from "../../src/capabilities/sync/remotes/known-remotes.ts";

/** Takes the lock, reads the remotes, says so, and takes its time before it writes them with another one. */
const OTHER = `
  const { readFileSync, writeFileSync, writeSync } = require("node:fs");
  const { DatabaseSync } = require("node:sqlite");
  const [lock, file] = process.argv.slice(1);
  const database = new DatabaseSync(lock);
  database.exec("BEGIN EXCLUSIVE");
  const remotes = JSON.parse(readFileSync(file, "utf8"));
  writeSync(1, "read");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  writeFileSync(file, JSON.stringify([...remotes, { name: "another", seen: {} }]));
  database.close();
`;

describe("what a machine knows of its remotes", () => {
  let [machines, laptop]: [Machines, TestMachine] = [undefined as never, undefined as never];
  beforeEach(async () => {
    machines = new Machines();
    laptop = machines.add("laptop");
    await verbs.goal(laptop.project, { goal: "Ship it" });
    await verbs.remoteAdd(laptop.project, { name: "origin", url: machines.url });
  });
  afterEach(() => machines.remove());

  it("is for its user alone", () => {
    const folder = join(laptop.home, ".local/state/cairn/remotes");
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(0);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it("keeps what another process is about to record", async () => {
    const { project, home } = laptop;
    const folder = join(home, ".local/state/cairn/remotes");
    const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const other = spawn(process.execPath, ["-e", OTHER, join(folder, "lock"), join(folder, file)]);
    const ended = once(other, "close");
    await once(other.stdout, "data");
    const { store } = await project.stores.open(project, "read");
    const head = (await store.head("main")) as ObjectId;
    await changeRemote(project, store, "origin", { seen: { main: head } });
    expect(await ended).toEqual([0, null]);
    expect(await knownRemotes(project, store)).toMatchObject([
      { name: "origin", seen: { main: head } },
      { name: "another" },
    ]);
  });

  it("is right for a trail whose name every object has", async () => {
    const { project } = laptop;
    await verbs.fork(project, { as: "constructor" });
    expect(await remoteLags(project)).toMatchObject([{ remote: "origin", trails: 2 }]);
    expect((await verbs.push(project, {})).failed).toEqual([]);
    expect(await remoteLags(project)).toMatchObject([{ remote: "origin", trails: 0 }]);
  });

  it("suggests a remote in a form that a shell reads as one word", () => {
    const hint = suggestion({ name: "or$(reboot)", url: "file:///mnt/share" });
    expect(hint).toContain("checkpoint remote add 'or$(reboot)'");
  });
});
