import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../objects/json.ts";
import { createRedactor } from "./redactor.ts";

const redactor = createRedactor();
const GITHUB = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

describe("redact", () => {
  it("replaces secrets, says where by which rule, and keeps everything else", () => {
    const state = {
      goal: "ship",
      variables: { db_password: "hunter2", region: "eu" },
      notes: [`used ${GITHUB}.`],
    };
    expect(redactor.redact(state)).toEqual({
      value: {
        goal: "ship",
        variables: { db_password: "[redacted:password]", region: "eu" },
        notes: ["used [redacted:github-token]."],
      },
      findings: [
        { path: ["variables", "db_password"], rule: "password", count: 1 },
        { path: ["notes", 0], rule: "github-token", count: 1 },
      ],
    });
  });

  it("never changes its input and returns untouched parts as the same objects", () => {
    const clean = { tasks: [{ id: "1", subject: "write tests" }] };
    const state = { clean, dirty: { token: GITHUB } };
    const before = structuredClone(state);
    const { value } = redactor.redact(state);
    expect(state).toEqual(before);
    expect(value.clean).toBe(clean);
    expect(redactor.redact(clean).value).toBe(clean);
  });

  it("counts several secrets of one kind in one text", () => {
    const { findings } = redactor.redact([`${GITHUB} ${GITHUB.replace("p_", "o_")}`]);
    expect(findings).toEqual([{ path: [0], rule: "github-token", count: 2 }]);
  });

  it("redacts keys that are secrets, keeps both values when two collide, and shows only new names in paths", () => {
    const other = GITHUB.replace("a1", "b2");
    const { value, findings } = redactor.redact({
      [GITHUB]: { password: "x1y2z3" },
      [other]: 2,
      last: 3,
    });
    expect(value).toEqual({
      "[redacted:github-token]": { password: "[redacted:password]" },
      "[redacted:github-token] (2)": 2,
      last: 3,
    });
    expect(JSON.stringify(findings)).not.toContain(GITHUB);
    expect(findings.map(({ path }) => path.join("."))).toEqual([
      "[redacted:github-token]",
      "[redacted:github-token].password",
      "[redacted:github-token] (2)",
    ]);
  });

  it("finds secrets in commands that are lists of words", () => {
    const commands = [
      ["redis-cli", "-p", "6379", "-a", "governance2026", "PING"],
      ["/usr/bin/mysql", "-uroot", "-ptopsecret", "shop"],
      ["curl", "-u", "admin:letmein", "https://example.org"],
      ["deploy", "--password", "plain", "--port", "80"],
      ["docker", "run", "-p", "8080:80", "nginx"],
    ];
    expect(redactor.redact(commands).value).toEqual([
      ["redis-cli", "-p", "6379", "-a", "[redacted:command-password]", "PING"],
      ["/usr/bin/mysql", "-uroot", "-p[redacted:command-password]", "shop"],
      ["curl", "-u", "admin:[redacted:command-password]", "https://example.org"],
      ["deploy", "--password", "[redacted:command-password]", "--port", "80"],
      commands[4],
    ]);
  });

  it("takes neighbours into account", () => {
    const state: Json = [
      { name: "DB_PASSWORD", value: "correct horse" },
      { name: "DB_HOST", value: "db.internal" },
      { user: "app", pass: "letmein" },
      { kty: "OKP", crv: "Ed25519", x: "public", d: "private-part" },
    ];
    expect(redactor.redact(state).value).toEqual([
      { name: "DB_PASSWORD", value: "[redacted:password]" },
      state[1],
      { user: "app", pass: "[redacted:password]" },
      { kty: "OKP", crv: "Ed25519", x: "public", d: "[redacted:secret]" },
    ]);
  });

  it("treats __proto__ as data", () => {
    const state = JSON.parse(
      `{"__proto__": {"password": "hunter2", "polluted": true}, "a": 1}`,
    ) as JsonObject;
    const { value } = redactor.redact(state);
    expect(JSON.stringify(value)).toBe(
      `{"__proto__":{"password":"[redacted:password]","polluted":true},"a":1}`,
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("cuts off what is too deep to look at, and refuses what contains itself", () => {
    let deep: Json = GITHUB;
    for (let depth = 0; depth < 5000; depth += 1) deep = [deep];
    expect(redactor.redact(deep).findings).toMatchObject([{ rule: "too-deep", count: 1 }]);
    const cyclic: Json[] = [];
    cyclic.push(cyclic, cyclic);
    expect(() => redactor.redact(cyclic)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
