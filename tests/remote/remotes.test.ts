import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Remote } from "../../src/remote/contract.ts";
import { testRemote } from "../../src/testing/test-remote.ts";
import { openFileRemote } from "../../src/remote/places/file-remote.ts";
import { openS3Remote } from "../../src/remote/places/s3-remote.ts";
import { assertConditionsHold } from "../../src/remote/probe.ts";
import { type Fault, startS3Server, type S3Server } from "./support/s3-server.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-remote-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a folder", () => {
  let number = 0;
  testRemote(async () => openFileRemote(join(folder, `remote-${number++}`), "a folder"), { describe, it });

  it.each<[what: string, plant: (path: string) => void]>([
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a link to a device without end", (path) => symlinkSync("/dev/zero", path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["a huge file", (path) => (writeFileSync(path, ""), truncateSync(path, 3 * 1024 ** 3))],
  ])("refuses %s that somebody else left there", async (_, plant) => {
    const path = join(folder, `remote-${number++}`);
    const remote = openFileRemote(path, "a folder");
    mkdirSync(join(path, "heads/main"), { recursive: true });
    mkdirSync(join(path, "packs"));
    for (const name of ["packs/a", "heads/main/000000000001"]) plant(join(path, name));
    for (const name of ["packs/a", "heads/main"])
      await expect(remote.get(name)).rejects.toMatchObject({ code: "corrupt" });
  });

  it("does not report a swap that nobody would see", async () => {
    const path = join(folder, `remote-${number++}`);
    const remote = openFileRemote(path, "a folder");
    mkdirSync(join(path, "epoch"), { recursive: true });
    writeFileSync(join(path, "epoch/999999999999"), "");
    const { version } = (await remote.get("epoch")) ?? {};
    const swapped = remote.compareAndSwap("epoch", new Uint8Array(1), version);
    await expect(swapped).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("a bucket", () => {
  let server: S3Server;
  beforeEach(async () => {
    server = await startS3Server();
  });
  afterEach(async () => server.close());

  describe("as S3 is documented", () => {
    testRemote(() => openBucket(server), { describe, it });
  });

  describe("that compares ETags without quotes", () => {
    beforeEach(() => {
      server.comparesUnquoted = true;
    });
    testRemote(() => openBucket(server), { describe, it });
  });

  describe("whose clock is an hour ahead", () => {
    beforeEach(() => {
      server.skewMs = 3_600_000;
    });
    testRemote(() => openBucket(server), { describe, it });
  });

  const FAULTS: readonly Fault[] = ["500", "503", "500 after the work", "truncated", "lost answer"];
  describe.each(FAULTS)("where every third request fails: %s", (fault) => {
    beforeEach(() => {
      server.faultOf = ({ number }) => (number % 3 === 0 ? fault : undefined);
    });
    afterEach(() => {
      if (server.requests.length >= 3 && !server.fired.get(fault)) throw new Error(`"${fault}" never fired`);
    });
    testRemote(() => openBucket(server), { describe, it });
  });

  it("is refused where stale conditions are accepted", async () => {
    server.faultOf = () => "ignores conditions";
    const remote = await openBucket(server);
    await expect(assertConditionsHold(remote, () => "probe")).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("does not honour conditional writes") as string,
      hint: expect.stringContaining("--unsafe-single-writer") as string,
    });
    expect([...server.objects.keys()]).toEqual([]);
  });

  it("that does not exist is not an empty one", async () => {
    const remote = await openBucket(server, { bucket: "other" });
    const missing = { code: "not-found", message: expect.stringContaining("NoSuchBucket") as string };
    await expect(remote.get("heads/main")).rejects.toMatchObject(missing);
    await expect(remote.list("")).rejects.toMatchObject(missing);
    await expect(remote.compareAndSwap("heads/a", new Uint8Array(1), undefined)).rejects.toMatchObject(
      missing,
    );
  });

  it("that lists without end is left alone", async () => {
    server.faultOf = () => "list without end";
    const remote = await openBucket(server);
    await expect(remote.list("heads/")).rejects.toMatchObject({ code: "corrupt" });
  });

  it("says what to do about wrong credentials, and never shows them", async () => {
    const remote = await openBucket(server, { accessKeyId: "wrong" });
    const refused = remote.put("packs/a", new Uint8Array(1));
    await expect(refused).rejects.toMatchObject({
      code: "refused",
      hint: expect.stringContaining("AWS_ACCESS_KEY_ID") as string,
    });
    await expect(refused).rejects.not.toThrow(/wrong|secret/);
  });

  it("that is out of reach fails with its name and a remedy", async () => {
    server.faultOf = () => "503";
    const remote = await openBucket(server);
    await expect(remote.get("heads/main")).rejects.toMatchObject({
      code: "failed",
      message: "s3://bucket/team cannot be reached.",
    });
    expect(server.requests).toHaveLength(5);
  });
});

async function openBucket(
  { endpoint }: S3Server,
  { bucket = "bucket", accessKeyId = "key" } = {},
): Promise<Remote> {
  const place = { endpoint, region: "eu-west-1", bucket, prefix: "team/", label: "s3://bucket/team" };
  return openS3Remote(place, { accessKeyId, secretAccessKey: "secret" }, () => Promise.resolve());
}
