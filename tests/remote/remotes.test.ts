import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Remote } from "../../src/capabilities/sync/contract.ts";
import { testRemote } from "../../src/testing/test-remote.ts";
import { openFileRemote } from "../../src/capabilities/sync/places/file-remote.ts";
import { readListing } from "../../src/capabilities/sync/places/s3-list.ts";
import { openS3Remote } from "../../src/capabilities/sync/places/s3-remote.ts";
import { assertConditionsHold } from "../../src/capabilities/sync/probe.ts";
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

  it("loses what a push that was killed left there, once nobody can still be writing it", async () => {
    const path = join(folder, `remote-${number++}`);
    const remote = openFileRemote(path, "a folder");
    for (const name of ["packs", "heads/main"]) {
      mkdirSync(join(path, name), { recursive: true });
      for (const left of [".old.tmp", ".new.tmp"]) writeFileSync(join(path, name, left), "half");
      utimesSync(join(path, name, ".old.tmp"), 0, 0);
    }
    await remote.put("packs/a", new Uint8Array(1));
    await remote.compareAndSwap("heads/main", new Uint8Array(1), undefined);
    expect(readdirSync(join(path, "packs")).toSorted()).toEqual([".new.tmp", "a"]);
    expect(readdirSync(join(path, "heads/main")).toSorted()).toEqual([".new.tmp", "000000000001"]);
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
    const broken = await openBucket(server, { accessKeyId: "wrong\nkey" });
    const unsigned = broken.put("packs/a", new Uint8Array(1));
    await expect(unsigned).rejects.toMatchObject({ code: "usage" });
    await expect(unsigned).rejects.not.toThrow(/wrong/);
  });

  it("that is out of reach fails with its name and a remedy", async () => {
    server.faultOf = () => "503";
    const remote = await openBucket(server);
    await expect(remote.get("heads/main")).rejects.toMatchObject({
      code: "failed",
      message: "s3://bucket/team cannot be reached: it answered 503.",
    });
    expect(server.requests).toHaveLength(5);
    server.faultOf = () => "lost answer";
    await expect(remote.get("heads/main")).rejects.toThrow("cannot be reached: socket hang up.");
  });

  it.each<Fault>(["silence", "silence in the body"])("is given up for a while after %s", async (fault) => {
    server.faultOf = ({ number }) => (number < 3 ? fault : undefined);
    const remote = await openBucket(server, { silenceMs: 50 });
    await remote.put("packs/a", Buffer.from("whole"));
    expect(Buffer.from((await remote.get("packs/a"))?.bytes ?? "").toString()).toBe("whole");
    server.faultOf = () => fault;
    await expect(remote.get("packs/a")).rejects.toThrow("s3://bucket/team cannot be reached: ");
  });

  it.each([
    ["redirect", "PermanentRedirect (301)"],
    ["other region", "AuthorizationHeaderMalformed (400)"],
  ] as const)("that is elsewhere is not followed there, and its region is named: %s", async (fault, said) => {
    server.faultOf = () => fault;
    const remote = await openBucket(server);
    await expect(remote.list("heads/")).rejects.toMatchObject({
      message: `s3://bucket/team answered ${said} when listing.`,
      hint: expect.stringContaining("?region=eu-central-1") as string,
    });
    expect(server.requests).toHaveLength(1);
  });

  it("may list what nobody put there", () => {
    expect(readListing("<Key>&#x110000;&#65;&amp;</Key>").keys).toEqual(["&#x110000;A&"]);
  });

  it("cannot fill the memory with what is not a pack", async () => {
    server.objects.set("team/heads/main", new Uint8Array(65 * 1024 * 1024));
    const remote = await openBucket(server);
    await expect(remote.get("heads/main")).rejects.toMatchObject({ code: "corrupt" });
  });

  it("is reached by https if its certificate is trusted, and else told nothing", async () => {
    const options = "-x509 -newkey ed25519 -nodes -days 2 -subj /CN=s3 -addext subjectAltName=IP:127.0.0.1";
    const made = spawnSync("openssl", ["req", ..."-keyout key -out cert".split(" "), ...options.split(" ")], {
      cwd: folder,
    });
    expect(made.status).toBe(0);
    const [key, cert] = [readFileSync(join(folder, "key")), readFileSync(join(folder, "cert"))];
    const secure = await startS3Server(new Map(), { key, cert });
    const remote = await openBucket(secure);
    await expect(remote.put("packs/a", new Uint8Array(1))).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("self-signed certificate") as string,
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") as string,
    });
    expect(secure.requests).toEqual([]);
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, cert.toString()]);
    await remote.put("packs/a", new Uint8Array(1));
    expect((await remote.get("packs/a"))?.bytes).toHaveLength(1);
    setDefaultCACertificates(trusted);
    await secure.close();
  });
});

async function openBucket(
  { endpoint }: S3Server,
  { bucket = "bucket", accessKeyId = "key", silenceMs = 30_000 } = {},
): Promise<Remote> {
  const place = { endpoint, region: "eu-west-1", bucket, prefix: "team/", label: "s3://bucket/team" };
  return openS3Remote({ ...place, silenceMs }, { accessKeyId, secretAccessKey: "secret" }, () =>
    Promise.resolve(),
  );
}
