import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import * as verbs from "../../src/doors/library/project.ts";
import { headsOf, Machines, type TestMachine } from "./support/machine.ts";
import { startS3Server, type S3Server } from "./support/s3-server.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };

let [machines, server, url]: [Machines, S3Server, string] = [undefined as never, undefined as never, ""];
let [laptop, desk]: [TestMachine, TestMachine] = [undefined as never, undefined as never];
beforeEach(async () => {
  machines = new Machines();
  server = await startS3Server();
  url = `s3://bucket/team?endpoint=${server.endpoint}`;
  laptop = machines.add("laptop", KEYS);
  desk = machines.add("desk", KEYS);
  await verbs.goal(laptop.project, { goal: "Ship the login page" });
  await verbs.remoteAdd(laptop.project, { name: "origin", url });
  await verbs.push(laptop.project, {});
  server.requests.length = 0;
});
afterEach(async () => {
  await machines.remove();
  await server.close();
});

it("a clone only reads, so that the right to read is enough", async () => {
  await verbs.clone(desk.project, { url });
  expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(await headsOf(desk)).toEqual(await headsOf(laptop));
});

it("the first push after a clone proves that conditions hold, and only the first", async () => {
  await verbs.clone(desk.project, { url });
  await verbs.decide(desk.project, { what: "Use SQLite", why: "It is there" });
  const before = new Map(server.objects);
  server.faultOf = () => "ignores conditions";
  await expect(verbs.push(desk.project, {})).rejects.toMatchObject({ code: "refused" });
  expect(server.fired.get("ignores conditions")).toBeGreaterThan(0);
  expect(server.objects).toEqual(before);
  server.faultOf = () => undefined;
  const probes = () => server.requests.filter(({ key }) => key.includes("probes/")).length;
  expect((await verbs.push(desk.project, {})).trails).toMatchObject([{ outcome: "pushed" }]);
  const proven = probes();
  await verbs.decide(desk.project, { what: "Use WAL", why: "It is faster" });
  await verbs.push(desk.project, {});
  expect(probes()).toBe(proven);
});

it("a clone of a place that cannot be listed leaves nothing behind", async () => {
  server.faultOf = ({ key }) => (key === "" ? "list without end" : undefined);
  await expect(verbs.clone(desk.project, { url })).rejects.toMatchObject({ code: "corrupt" });
  expect(existsSync(join(desk.project.root, ".cairn"))).toBe(false);
});

it("a remote that is refused leaves nothing behind", async () => {
  server.faultOf = () => "ignores conditions";
  const adding = verbs.remoteAdd(desk.project, { name: "origin", url });
  await expect(adding).rejects.toMatchObject({ code: "refused" });
  expect(existsSync(join(desk.project.root, ".cairn"))).toBe(false);
});
