import { describe, expect, it } from "vitest";
import type { Json } from "../objects/json.ts";
import { createRedactor } from "./redactor.ts";

const { redact } = createRedactor();
/** Looks random, and is nothing. */
const RANDOM = "9aK2mQ7xR4vL1pZ8cW5bN3tYf6";

describe("a value whose name says that it is a secret", () => {
  const SECRET: Json[] = [
    { password: "changeme" },
    { password: "correct horse battery staple" },
    { dbPassword: "x" },
    { "Client-Secret": "abcdef" },
    { apiKey: "12345678" },
    { connection_string: "Server=db;Database=shop;Trusted_Connection=True" },
    { authorization: "Basic Ym9iOmI=" },
    { cookie: "sid=1" },
    { password: 12345678 },
    { pin: 1234 },
    { pin: "0042" },
    { pass: "hunter2!" },
    { AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY" },
    { api_keys: ["abcdef12"] },
    { secrets: { stripe: "abcdef12" } },
    { cookies: { sid: "9f8e7d6c5b" } },
    { key: "GITHUB_TOKEN", value: "abcdef12" },
    { note: RANDOM },
  ];
  for (const value of SECRET) {
    it(`is redacted: ${JSON.stringify(value)}`, () => {
      const { value: redacted, findings } = redact(value);
      expect(findings).toHaveLength(1);
      expect(JSON.stringify(redacted)).toMatch(/"\[redacted:[a-z-]+\]"/);
    });
  }

  const HARMLESS: Json[] = [
    { password: "" },
    { password: "   " },
    { password: null },
    { password: true },
    { password: "true" },
    { secret: true },
    { token: "<token>" },
    { token: "${GITHUB_TOKEN}" },
    { token: "$GITHUB_TOKEN" },
    { token: "GITHUB_TOKEN" },
    { token: "{{ token }}" },
    { password: "********" },
    { password: "[redacted:password]" },
    { api_key: "your-api-key-here" },
    { credentials: "/run/secrets/gcp.json" },
    { private_key: "~/.ssh/id_ed25519" },
    { secret: "op://vault/item/field" },
    { token: 42 },
    { token: 1_700_000_000 },
    { pin: 12 },
    { password: 1.5 },
    { token: "the" },
    { token: "ask Bob for it" },
    { tokens: ["the", "cat", "sat"] },
    { max_tokens: 4096, token_count: "123456789", estimated_tokens: 450 },
    { passwordless: "enabled-everywhere" },
    { secret: { name: "db", namespace: "prod" } },
    {
      id: RANDOM,
      content_hash: RANDOM,
      head: RANDOM,
      files_touched: [RANDOM],
      next_page_token: RANDOM,
      sha: RANDOM,
    },
    { checkpoint_id: "ckpt-20261115-203000-9f8e7d6c", url: `https://example.org/${RANDOM}` },
  ];
  for (const value of HARMLESS) {
    it(`stays if it obviously is none: ${JSON.stringify(value)}`, () => {
      expect(redact(value)).toEqual({ value, findings: [] });
    });
  }

  it("is still searched for known formats where random looks do not count", () => {
    const token = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    expect(redact({ id: token, endpoint: "redis://:hunter2@cache:6379" }).value).toEqual({
      id: "[redacted:github-token]",
      endpoint: "redis://:[redacted:url-password]@cache:6379",
    });
  });
});
