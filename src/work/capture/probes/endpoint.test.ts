import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowedEndpoint } from "./endpoint-trust.ts";
import { type Endpoint, parseEndpoint } from "./endpoint.ts";

const ROOT = "/project";

describe("parseEndpoint", () => {
  it.each([
    ["vault", "https://127.0.0.1:8200", "https://127.0.0.1:8200", 8200],
    ["vault", "vault.example.com", "https://vault.example.com", 8200],
    ["vault", "https://vault.example.com", "https://vault.example.com", 443],
    ["redis", "localhost", "redis://localhost", 6379],
    ["redis", "rediss://user:pass@Cache.Example.com:6380/1?x=y#z", "rediss://cache.example.com:6380", 6380],
    ["dragonfly", "[::1]:6379", "redis://[::1]:6379", 6379],
    ["service", "postgresql://app:p%40ss@db/app?sslmode=require", "postgres://db", 5432],
    ["service", "https://hooks.example.com/services/T0/B0/token", "https://hooks.example.com", 443],
    ["tcp", "0x7f.1:22", "tcp://127.0.0.1:22", 22],
    ["http", "http://h:80", "http://h:80", 80],
    ["service", "redis://h:80", "redis://h:80", 80],
  ])("shows %s at %s as %s", (type, endpoint, shown, port) => {
    expect(parse(type, endpoint)).toMatchObject({ shown, port });
  });

  it("goes by the name where type and scheme leave it open", () => {
    const seed = { name: "vault", type: "service", endpoint: "https://127.0.0.1:8200" };
    expect(parseEndpoint(seed, ROOT)).toMatchObject({ protocol: "http", path: "/v1/sys/health" });
    const exporter = { name: "redis", type: "service", endpoint: "http://127.0.0.1:9121/metrics" };
    expect(parseEndpoint(exporter, ROOT)).toMatchObject({ protocol: "http", path: "/metrics" });
  });

  it.each([
    ["data/app.db", "/project/data/app.db", "data/app.db"],
    ["sqlite:///var/lib/app.db", "/var/lib/app.db", "/var/lib/app.db"],
    ["sqlite:app.db", "/project/app.db", "app.db"],
    ["../other.db", "/other.db", "/other.db"],
  ])("finds the file %s", (endpoint, file, shown) => {
    const isInsideProject = file.startsWith("/project/");
    expect(parse("sqlite", endpoint)).toEqual({ protocol: "sqlite", file, isInsideProject, shown });
  });

  it.each([
    ["service", "example.com:80"],
    ["tcp", "example.com"],
    ["tcp", "example.com:0"],
    ["tcp", "example.com:70000"],
    ["redis", ""],
    ["redis", "redis://user:12/s3cret@host:6379"],
    ["redis", "redis://:s3/cret@host"],
    ["sqlite", "//server/share/x.db"],
    ["constructor", "__proto__"],
  ])("understands nothing of %s at %j", (type, endpoint) => {
    expect(parse(type, endpoint)).toBeUndefined();
  });

  it("never shows a password, wherever in an address it stands", () => {
    const secret = "S3CR3Tx";
    const around = fc.string({ unit: fc.constantFrom(...Array.from("ab:/@?#%.[]\\ \t2")), maxLength: 8 });
    const type = fc.constantFrom("redis", "http", "postgres", "tcp", "service");
    const scheme = fc.constantFrom("redis://", "https://", "postgres://", "");
    fc.assert(
      fc.property(type, scheme, around, around, (kind, start, before, after) => {
        const shown = [
          parse(kind, `${start}user:${before}${secret}${after}@host:6379/0`)?.shown,
          parse(kind, `${start}host:6379/${before}${secret}${after}`)?.shown,
          parse(kind, `${start}host:6379/?${before}=${secret}${after}`)?.shown,
        ];
        expect(shown.join(" ").toUpperCase()).not.toContain(secret.toUpperCase());
      }),
      { numRuns: 3000 },
    );
  });
});

describe("allowedEndpoint", () => {
  it.each(["127.0.0.1:1", "127.255.3.4:1", "localhost:1", "LOCALHOST:1", "[::1]:1", "0x7f000001:1"])(
    "lets a project probe %s",
    (endpoint) => {
      expect(allowed("tcp", endpoint)).toBe(true);
    },
  );

  it.each([
    "example.com:1",
    "10.0.0.1:1",
    "169.254.169.254:80",
    "0.0.0.0:1",
    "128.0.0.1:1",
    "127.0.0.1.example.com:1",
    "localhost.example.com:1",
    "localhost.:1",
    "127.0.0.1@example.com:1",
    "[::ffff:127.0.0.1]:1",
    "[::2]:1",
  ])("does not let a project probe %s", (endpoint) => {
    expect(allowed("tcp", endpoint)).toBe(false);
    expect(allowedEndpoint(parsed("tcp", endpoint), "user", [])).toBe(true);
  });

  it("goes by the user's list", () => {
    for (const entry of ["db.example.com", "DB.example.com:5432", "postgres://db.example.com:5432/"]) {
      expect(allowed("postgres", "db.example.com:5432", [entry])).toBe(true);
    }
    for (const entry of ["example.com", "db.example.com:5433", "redis://db.example.com:5432", "*", ""]) {
      expect(allowed("postgres", "db.example.com:5432", [entry])).toBe(false);
    }
    expect(allowed("redis", "[2001:db8::1]:6379", ["[2001:db8::1]:6379"])).toBe(true);
  });

  it("keeps a project's files below the project", () => {
    expect(allowed("sqlite", "data/app.db")).toBe(true);
    expect(allowed("sqlite", "..data/app.db")).toBe(true);
    expect(allowed("sqlite", "data/../../other/app.db")).toBe(false);
    expect(allowed("sqlite", "/other/App.db")).toBe(false);
    expect(allowed("sqlite", "/other/App.db", ["/other/App.db"])).toBe(true);
  });

  function allowed(type: string, endpoint: string, list: string[] = []): boolean {
    return allowedEndpoint(parsed(type, endpoint), "project", list);
  }
});

function parsed(type: string, endpoint: string): Endpoint {
  const result = parse(type, endpoint);
  if (result === undefined) throw new Error(`not understood: ${endpoint}`);
  return result;
}

function parse(type: string, endpoint: string): Endpoint | undefined {
  return parseEndpoint({ name: "x", type, endpoint }, ROOT);
}
