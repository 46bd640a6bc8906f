import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { hex, logText } from "./generators.ts";
import type { Random } from "./random.ts";

/** What the people and agents of a state write in, which decides how well its tokens can be estimated. */
export const FLAVOURS = [
  "english",
  "prose",
  "prose",
  "code",
  "terse",
  "logs",
  "json",
  "hashes",
  "Chinese",
  "German",
] as const;
export type Flavour = (typeof FLAVOURS)[number];

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const VERBS = [
  "Fix",
  "Add",
  "Remove",
  "Rewrite",
  "Test",
  "Measure",
  "Document",
  "Split",
  "Migrate",
  "Review",
  "Retry",
  "Cache",
  "Validate",
  "Rename",
];
export const THINGS = [
  "the login test",
  "session expiry in the auth gateway",
  "retry logic of the mailer",
  "the SQLite busy handler",
  "token refresh after a 401",
  "the billing webhook signature check",
  "pagination of /api/v2/orders",
  "the flaky end-to-end suite",
  "connection pooling for Postgres",
  "the vault lease renewal",
  "error messages of the importer",
  "the terraform module for the worker pool",
  "dead code in the scheduler",
  "the object cache eviction",
  "the Dockerfile",
  "rate limiting of the public API",
  "the audit ledger export",
  "Unicode handling in search",
  "CI caching",
  "the release script",
];
export const REASONS = [
  "the old one deadlocks under two writers",
  "the API contract is frozen until the release",
  "it halves the p95 latency in the benchmark",
  "the customer's proxy strips unknown headers",
  "the reviewer asked for it",
  "the upstream library has been unmaintained since March",
  "a crash between the two writes lost data in staging",
  "it keeps the diff reviewable",
  "the test was red on main before our change",
  "the security review forbids plain-text tokens on disk",
  "we measured it: 41 ms against 380 ms",
  "nobody could explain why it was there",
];
const VOICES: Readonly<Record<Flavour, (random: Random) => string>> = {
  english: (random) =>
    `${random.pick(VERBS).toLowerCase()} ${random.pick(THINGS)} because ${random.pick(REASONS)}.`,
  json: (random) => VOICES.english(random),
  prose: (random) => random.pick(sentences()),
  code: (random) => random.pick(codeLines()),
  terse: (random) => random.pick(["see above", "ok", "wip", "n/a", "later"]),
  logs: (random) => logText(random, 1).trim(),
  hashes: (random) => `${random.pick(VERBS)} ${random.pick(THINGS)} at ${hex(random, 40)}`,
  Chinese: (random) => random.pick(translated("zh-cn")),
  German: (random) => random.pick(translated("de")),
};

/** Sentences in the voice of a flavour. */
export function speaker(random: Random, flavour: Flavour): () => string {
  return () => VOICES[flavour](random);
}

const cache = new Map<string, string[]>();

function translated(locale: string): string[] {
  return remembered(locale, () => {
    const path = join(
      ROOT,
      "bench/node_modules/typescript-locales/lib",
      locale,
      "diagnosticMessages.generated.json",
    );
    return Object.values(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>);
  });
}

/** Sentences that people wrote about code: the comments of Node's declarations. */
function sentences(): string[] {
  return remembered("sentences", () => {
    const text = globSync("node_modules/@types/node/*.d.ts", { cwd: ROOT }).toSorted().map(read).join("\n");
    const comments = [...text.matchAll(/\/\*\*([^]*?)\*\//g)].map((match) =>
      match[1]!.replaceAll(/\s*\n\s*\*\s?/g, " "),
    );
    return comments.flatMap((comment) => comment.match(/[A-Z][a-z][^.@`(){}=;*[\]/\\]{30,220}\./g) ?? []);
  });
}

function codeLines(): string[] {
  return remembered("code", () =>
    globSync("node_modules/{zod/src/v4/core,fast-check/lib,vitest/dist}/**/*.{ts,js}", { cwd: ROOT })
      .toSorted()
      .flatMap((path) => read(path).split("\n"))
      .map((line) => line.trim())
      .filter((line) => line.length > 30 && line.length < 160),
  );
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function remembered(name: string, make: () => string[]): string[] {
  const lines = cache.get(name) ?? make();
  cache.set(name, lines);
  return lines;
}
