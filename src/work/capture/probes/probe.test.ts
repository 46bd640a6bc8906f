import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createServer as createTlsServer } from "node:tls";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { type DeclaredDependency, type ProbedDependency, probeDependencies } from "./probe.ts";

const NOW = Date.parse("2026-01-23T12:00:00Z");
let root: string;
let servers: Server[];
/** Resolves for each connection when it is closed: a probe that leaks a socket never gets there. */
let closed: Promise<unknown>[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-probe-"));
  servers = [];
  closed = [];
});

afterEach(async () => {
  await Promise.all(closed);
  for (const server of servers) server.close();
  rmSync(root, { recursive: true, force: true });
});

describe("probeDependencies", () => {
  it("gives entries in the checkpoint's shape, in the order of declaration", async () => {
    const port = await listen((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    new DatabaseSync(join(root, "ledger.db")).exec("CREATE TABLE t (x)");
    const declared: DeclaredDependency[] = [
      { name: "vault", type: "service", endpoint: `http://127.0.0.1:${port}`, source: "project" },
      { name: "ledger", type: "sqlite", endpoint: "ledger.db", source: "project" },
      { name: "far", type: "redis", endpoint: "redis://:s3cret@db.example.com:6379/0", source: "project" },
      { name: "odd", type: "service", endpoint: "s3cret", source: "user" },
    ];
    const probed = await probeDependencies(declared, { root, now: () => NOW, env: {} });
    const asked = { last_checked: "2026-01-23T12:00:00.000Z", latency_ms: 0 };
    const unasked = { last_checked: null, latency_ms: null };
    expect(probed).toEqual([
      { name: "vault", type: "service", endpoint: `http://127.0.0.1:${port}`, status: "available", ...asked },
      { name: "ledger", type: "sqlite", endpoint: "ledger.db", status: "available", ...asked },
      {
        name: "far",
        type: "redis",
        endpoint: "redis://db.example.com:6379",
        status: "unknown",
        reason: "not allowed by your user config",
        ...unasked,
      },
      {
        name: "odd",
        type: "service",
        endpoint: null,
        status: "unknown",
        reason: "the endpoint is not understood",
        ...unasked,
      },
    ]);
  });

  it("measures how long an answer took, and not how long silence did", async () => {
    const port = await listen((socket) => socket.end("+PONG\r\n"));
    let clock = NOW;
    const now = (): number => (clock += 7);
    const options = { root, now, env: {}, timeoutMs: 5000 };
    const [up] = await probeDependencies([redis(port)], options);
    const [down] = await probeDependencies([redis(await unusedPort())], options);
    expect([up?.latency_ms, down?.latency_ms]).toEqual([7, null]);
  });

  it("takes about as long for many that are silent as for one", async () => {
    const port = await listen(() => undefined);
    const declared = Array.from({ length: 40 }, () => redis(port));
    const probed = await probeDependencies(declared, { root, now: Date.now, env: {}, timeoutMs: 1500 });
    expect(probed.slice(0, 32).every(({ reason }) => reason === "no answer within 1500 ms")).toBe(true);
    expect(probed.slice(32).every(({ reason }) => reason === "only the first 32 are probed")).toBe(true);
    // All connections stood at the same time, as only parallel probes can make them.
    expect(closed.length).toBe(32);
  });

  it("lets a process end by itself, whatever the other side does", async () => {
    const port = await listen(() => undefined);
    const script = `
      import { probeDependencies } from ${JSON.stringify(new URL("probe.ts", import.meta.url).href)};
      const declared = ["redis", "http", "postgres", "tcp"].map((type) =>
        ({ name: type, type, endpoint: "127.0.0.1:${port}", source: "user" }));
      const probed = await probeDependencies(declared, { root: "/", now: Date.now, env: {}, timeoutMs: 1500 });
      console.log(probed.map(({ status }) => status).join());`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = child.stdout.toArray();
    expect(await once(child, "exit")).toEqual([0, null]);
    expect((await output).join("").trim()).toBe("unavailable,unavailable,unavailable,available");
  });
});

describe("http", () => {
  it.each([
    [200, "available", undefined],
    [204, "available", undefined],
    [302, "available", "HTTP 302, not followed"],
    [401, "available", "authentication is required"],
    [404, "degraded", "HTTP 404"],
    [503, "degraded", "HTTP 503"],
  ])("understands status %i", async (status, expected, reason) => {
    const port = await listen(answerHttp(status));
    expect(await probe("http", `http://localhost:${port}/health`)).toEqual({ status: expected, reason });
  });

  it.each([
    [200, "available", undefined],
    [429, "available", "standby"],
    [472, "degraded", "a disaster-recovery secondary, which serves no requests"],
    [473, "available", "performance standby"],
    [501, "unavailable", "not initialised"],
    [503, "unavailable", "sealed"],
  ])("understands what Vault means by %i", async (status, expected, reason) => {
    const requests: string[] = [];
    const port = await listen(answerHttp(status, requests));
    expect(await probe("vault", `http://127.0.0.1:${port}`)).toEqual({ status: expected, reason });
    expect(requests[0]).toMatch(/^GET \/v1\/sys\/health HTTP\/1\.1\r\n/);
    expect(requests[0]).toContain(`\r\nHost: 127.0.0.1:${port}\r\n`);
  });

  it("asks for the declared path without being led astray by it", async () => {
    const requests: string[] = [];
    const port = await listen(answerHttp(200, requests));
    await probe("http", `http://127.0.0.1:${port}/a b\r\nX-Evil: 1?q=ü`);
    expect(requests[0]?.split("\r\n")[0]).toBe("GET /a%20bX-Evil:%201?q=%C3%BC HTTP/1.1");
  });

  it("does not look past a certificate that nobody vouches for", async (test) => {
    const made = spawnSync(
      "openssl",
      "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost".split(
        " ",
      ),
      { cwd: root },
    );
    if (made.status !== 0) skipped(test, "openssl is not installed");
    const [key, cert] = [readFileSync(join(root, "key.pem")), readFileSync(join(root, "cert.pem"))];
    const port = await listenOn(createTlsServer({ key, cert }, answerHttp(200)), true);
    expect(await probe("http", `https://127.0.0.1:${port}`)).toEqual({
      status: "degraded",
      reason: "its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
    });
    const plain = await listen(answerHttp(200));
    expect(await probe("http", `https://127.0.0.1:${plain}`)).toEqual({
      status: "unavailable",
      reason: "no TLS connection could be made",
    });
  });
});

describe("redis", () => {
  const env = { REDIS_PASSWORD: "pass word\r\nüñ" };

  it.each([
    ["+PONG\r\n", "available", undefined],
    ["-NOAUTH Authentication required.\r\n", "available", "authentication is required"],
    ["-LOADING Redis is loading the dataset in memory\r\n", "degraded", "it is still loading its data"],
    ["-MISCONF secret text\r\n", "degraded", "it answers with the error MISCONF"],
    ["HTTP/1.1 400 Bad Request\r\n", "unavailable", "it does not answer like Redis"],
  ])("understands %j", async (reply, status, reason) => {
    const port = await listen((socket) => socket.write(reply));
    expect(await probe("dragonfly", `127.0.0.1:${port}`)).toEqual({ status, reason });
  });

  it("authenticates with the variable that the user names, and with nothing else", async () => {
    const { port, commands } = await redisWithPassword(env.REDIS_PASSWORD);
    const endpoint = `redis://:wrong@127.0.0.1:${port}`;
    const base = { name: "cache", type: "redis", endpoint, password_env: "REDIS_PASSWORD" };
    expect(await probeWith({ ...base, source: "user" }, { env })).toEqual({ status: "available" });
    expect(commands.join("")).toBe("*2\r\n$4\r\nAUTH\r\n$15\r\npass word\r\nüñ\r\n*1\r\n$4\r\nping\r\n");
    const refused = await probeWith({ ...base, source: "user" }, { env: { REDIS_PASSWORD: "other" } });
    expect(refused).toEqual({ status: "degraded", reason: "the password was refused" });
  });

  it("sends no password to where a project points, unless the user allows it", async () => {
    const { port, commands } = await redisWithPassword(env.REDIS_PASSWORD);
    const project: DeclaredDependency = { ...redis(port), password_env: "REDIS_PASSWORD", source: "project" };
    expect(await probeWith(project, { env })).toEqual({
      status: "available",
      reason: "authentication is required",
    });
    expect(commands).toEqual(["*1\r\n$4\r\nping\r\n"]);
    expect(await probeWith(project, { env, allow: [`127.0.0.1:${port}`] })).toEqual({ status: "available" });
  });

  it("works with a real server", async (test) => {
    if (!isInstalled("redis-server")) skipped(test, "redis-server is not installed");
    const port = await unusedPort();
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--requirepass", "s3cret"];
    const child = spawn("redis-server", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    try {
      await said(child.stdout, "Ready to accept connections");
      const declared: DeclaredDependency = { ...redis(port), password_env: "PASSWORD" };
      expect(await probeWith(declared, {})).toEqual({
        status: "available",
        reason: "authentication is required",
      });
      expect(await probeWith(declared, { env: { PASSWORD: "s3cret" } })).toEqual({ status: "available" });
      expect(await probeWith(declared, { env: { PASSWORD: "no" } })).toMatchObject({ status: "degraded" });
    } finally {
      child.kill("SIGKILL");
    }
  });

  async function redisWithPassword(password: string): Promise<{ port: number; commands: string[] }> {
    const commands: string[] = [];
    const port = await listen((socket) => {
      let isKnown = false;
      socket.on("data", (chunk) => {
        for (const command of chunk.toString().split(/(?=\*\d\r\n)/)) {
          commands.push(command);
          const isAuth = command.includes("AUTH");
          if (isAuth) isKnown = command.includes(`\r\n${password}\r\n`);
          const refusal = isAuth ? "-WRONGPASS invalid\r\n" : "-NOAUTH Authentication required.\r\n";
          socket.write(isKnown ? (isAuth ? "+OK\r\n" : "+PONG\r\n") : refusal);
        }
      });
    });
    return { port, commands };
  }
});

describe("postgres", () => {
  it.each([
    ["R", Buffer.from([0, 0, 0, 10]), "available", undefined],
    ["E", errorFields("28000"), "available", undefined],
    ["E", errorFields("57P03"), "degraded", "it is starting up or shutting down"],
    ["E", errorFields("53300"), "degraded", "it has too many connections"],
    ["x", Buffer.from("I"), "unavailable", "it does not answer like PostgreSQL"],
  ])("understands message %s with %j", async (kind, body, status, reason) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length + 4);
    const message = Buffer.concat([Buffer.from(kind), length, body]);
    const port = await listen((socket) => {
      // In two pieces, as a network may bring them.
      socket.write(message.subarray(0, 6), () => socket.write(message.subarray(6)));
    });
    expect(await probe("postgres", `postgresql://app:s3cret@127.0.0.1:${port}/db`)).toEqual({
      status,
      reason,
    });
  });

  it("sends no password that it could find", async (test) => {
    test.onTestFinished(() => void delete process.env["PGPASSWORD"]);
    process.env["PGPASSWORD"] = "s3cret";
    const ASKS_FOR_PLAIN_TEXT = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
    let sent = "";
    const port = await listen((socket) => {
      socket.on("data", (chunk) => void (sent += chunk.toString("latin1")));
      socket.write(ASKS_FOR_PLAIN_TEXT);
    });
    const found = await probe("postgres", `postgres://app:s3cret@127.0.0.1:${port}/db`);
    await Promise.all(closed);
    expect(found).toEqual({ status: "available" });
    expect(sent).toContain("user\0app\0");
    expect(sent).not.toContain("s3cret");
  });

  it("works with a real server", async (test) => {
    if (!isInstalled("initdb") || !isInstalled("postgres")) skipped(test, "PostgreSQL is not installed");
    const identity = unprivileged();
    if (identity === undefined)
      skipped(test, "PostgreSQL refuses to run as root, and there is no other user");
    chownSync(root, identity.uid, identity.gid);
    const data = join(root, "data");
    const options = { ...identity, cwd: root, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
    const made = spawnSync(
      "initdb",
      ["-D", data, "-A", "scram-sha-256", "-U", "owner", "--pwfile", passwordFile()],
      options,
    );
    expect(made.stderr.toString()).toBe("");
    const port = await unusedPort();
    const settings = [
      `port=${port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${root}`,
      "fsync=off",
    ];
    const child = spawn("postgres", ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      await said(child.stderr, "ready to accept connections");
      expect(await probe("postgres", `127.0.0.1:${port}`)).toEqual({ status: "available" });
      expect(await probe("service", `postgres://owner:s3cret@localhost:${port}/none`)).toEqual({
        status: "available",
      });
    } finally {
      child.kill("SIGQUIT");
      await once(child, "exit");
    }
  });

  function errorFields(code: string): Buffer {
    return Buffer.from(`SFATAL\0VFATAL\0C${code}\0Msome text\0\0`);
  }

  function passwordFile(): string {
    writeFileSync(join(root, "password"), "s3cret\n");
    return join(root, "password");
  }

  /** Who may run the server: root may not. */
  function unprivileged(): { uid: number; gid: number } | undefined {
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    if (uid !== 0) return { uid, gid };
    const id = (flag: string): number =>
      Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
    return id("-u") > 0 ? { uid: id("-u"), gid: id("-g") } : undefined;
  }
});

describe("a server whose client is not installed", () => {
  it("is only connected to, which the reason says", async () => {
    // A copy of the sources that finds no packages.
    cpSync(join(import.meta.dirname, "../../.."), join(root, "src"), { recursive: true });
    const port = await listen(() => undefined);
    const script = `
      import { probeDependencies } from ${JSON.stringify(join(root, "src/work/capture/probes/probe.ts"))};
      const declared = [["redis", ${port}], ["postgres", ${port}], ["postgres", ${await unusedPort()}]].map(([type, port]) =>
        ({ name: type, type, endpoint: "127.0.0.1:" + port, source: "user", password_env: "SECRET" }));
      const options = { root: "/", now: Date.now, env: { SECRET: "s3cret" }, timeoutMs: 20_000 };
      const probed = await probeDependencies(declared, options);
      console.log(probed.map(({ status, reason }) => status + ": " + reason).join("\\n"));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      cwd: root,
    });
    expect(stdout.trim().split("\n")).toEqual([
      'available: reachable; not asked, "ioredis" is not installed',
      'available: reachable; not asked, "pg" is not installed',
      "unavailable: the connection was refused",
    ]);
  });
});

describe("sqlite", () => {
  it.each([
    ["text.db", "degraded", "it is not a SQLite database"],
    ["empty.db", "available", "the file is empty"],
    ["missing.db", "unavailable", "there is no such file"],
    [".", "unavailable", "it is not a regular file"],
    ["pipe", "unavailable", "it is not a regular file"],
  ])("says of %s that it is %s", async (file, status, reason) => {
    writeFileSync(join(root, "text.db"), "some text that is no database");
    writeFileSync(join(root, "empty.db"), "");
    spawnSync("mkfifo", [join(root, "pipe")]);
    expect(await probe("sqlite", file)).toEqual({ status, reason });
  });
});

describe("tcp and what hostile servers do", () => {
  const TYPES = ["http", "redis", "postgres"];

  it("is available as soon as somebody accepts", async () => {
    const port = await listen((socket) => socket.end());
    expect(await probe("tcp", `127.0.0.1:${port}`)).toEqual({ status: "available" });
    expect(await probe("tcp", `127.0.0.1:${await unusedPort()}`)).toEqual({
      status: "unavailable",
      reason: "the connection was refused",
    });
  });

  it.each(TYPES)("%s is unavailable when it never answers", async (type) => {
    const port = await listen(() => undefined);
    const declared: DeclaredDependency = { name: "x", type, endpoint: `127.0.0.1:${port}`, source: "user" };
    expect(await probeWith(declared, { timeoutMs: 100 })).toEqual({
      status: "unavailable",
      reason: "no answer within 100 ms",
    });
  });

  it.each(TYPES)("%s is unavailable when it closes at once", async (type) => {
    const closing = await listen((socket) => socket.destroy());
    const resetting = await listen((socket) => socket.resetAndDestroy());
    for (const port of [closing, resetting]) {
      expect(await probe(type, `127.0.0.1:${port}`)).toEqual({
        status: "unavailable",
        reason: "it closed the connection without an answer",
      });
    }
  });

  it.each(TYPES)("%s is unavailable when it talks garbage, once or without end", async (type) => {
    const once = await listen((socket) => socket.end("\u0000\u0001 garbage\r\n\r\n"));
    const endless = await listen((socket) => {
      const block = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on("drain", more);
      more();
    });
    for (const port of [once, endless]) {
      const { status, reason } = await probe(type, `127.0.0.1:${port}`);
      expect([status, reason?.startsWith("it does not answer like")]).toEqual(["unavailable", true]);
    }
  });
});

async function probe(type: string, endpoint: string): Promise<Partial<ProbedDependency>> {
  return probeWith({ name: "x", type, endpoint, source: "user" }, {});
}

/** Status and reason alone. The time is long, because a slow machine is no finding here. */
async function probeWith(
  declared: DeclaredDependency,
  options: { env?: Record<string, string>; allow?: string[]; timeoutMs?: number },
): Promise<Partial<ProbedDependency>> {
  const [probed] = await probeDependencies([declared], {
    root,
    now: Date.now,
    env: {},
    timeoutMs: 20_000,
    ...options,
  });
  const { status, reason } = probed ?? {};
  return { ...(status && { status }), ...(reason && { reason }) };
}

function redis(port: number): DeclaredDependency {
  return { name: "cache", type: "redis", endpoint: `127.0.0.1:${port}`, source: "user" };
}

function answerHttp(status: number, requests: string[] = []): (socket: Socket) => void {
  return (socket) => {
    socket.on("data", (chunk) => {
      requests.push(chunk.toString());
      socket.end(`HTTP/1.1 ${status} Some Words\r\nLocation: http://127.0.0.1:1/\r\n\r\nbody`);
    });
  };
}

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  return listenOn(createServer(onConnection));
}

async function listenOn(server: Server, isTls = false): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => undefined);
    closed.push(new Promise((resolve) => socket.once("close", resolve)));
    // Whoever never reads never learns that the other side has gone; TLS reads by itself.
    if (!isTls) socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until a program says something. */
async function said(output: AsyncIterable<Buffer>, words: string): Promise<void> {
  let text = "";
  for await (const chunk of output) {
    text += chunk.toString();
    if (text.includes(words)) return;
  }
  throw new Error(`The program ended without saying "${words}": ${text}`);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

function skipped(test: TestContext, why: string): never {
  console.log(`skipped: ${why}`);
  return test.skip(why);
}
