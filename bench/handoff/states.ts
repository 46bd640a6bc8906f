import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

import type { Task, TaskStatus } from "../../src/checkpoints/work-state.ts";
import type { HandoffInput } from "../../src/handoff/handoff.ts";
import { base64, hex, isoStamp, jsonText, logText, uuid } from "./generators.ts";
import type { Random } from "./random.ts";

/** What the people and agents of a state write in, which decides how well its tokens can be estimated. */
export const FLAVOURS = ["english", "prose", "prose", "code", "terse", "logs", "json", "hashes", "Chinese", "German"] as const;
export type Flavour = (typeof FLAVOURS)[number];

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Of pinned packages only: the states must not change when a file is added to this project.
const PATHS = globSync("node_modules/{zod/src,vitest/dist,fast-check/lib,@types/node}/**/*.{ts,js}", { cwd: ROOT })
  .map((path) => path.replace(/^node_modules\//, "packages/"))
  .toSorted();

const VERBS = ["Fix", "Add", "Remove", "Rewrite", "Test", "Measure", "Document", "Split", "Migrate", "Review", "Retry", "Cache", "Validate", "Rename"];
const THINGS = [
  "the login test", "session expiry in the auth gateway", "retry logic of the mailer", "the SQLite busy handler",
  "token refresh after a 401", "the billing webhook signature check", "pagination of /api/v2/orders",
  "the flaky end-to-end suite", "connection pooling for Postgres", "the vault lease renewal", "error messages of the importer",
  "the terraform module for the worker pool", "dead code in the scheduler", "the object cache eviction", "the Dockerfile",
  "rate limiting of the public API", "the audit ledger export", "Unicode handling in search", "CI caching", "the release script",
];
const REASONS = [
  "the old one deadlocks under two writers", "the API contract is frozen until the release", "it halves the p95 latency in the benchmark",
  "the customer's proxy strips unknown headers", "the reviewer asked for it", "the upstream library has been unmaintained since March",
  "a crash between the two writes lost data in staging", "it keeps the diff reviewable", "the test was red on main before our change",
  "the security review forbids plain-text tokens on disk", "we measured it: 41 ms against 380 ms", "nobody could explain why it was there",
];
const RULES = [
  "Never touch the production database; use the staging replica.", "Do not change the public API of the client package.",
  "All new code needs tests; coverage must not fall below 85 %.", "Keep the migration reversible.",
  "No new runtime dependencies without asking.", "Secrets stay in Vault; never print them.",
  "Commit to the feature branch only; a person merges.", "Do not delete or rewrite anything under archive/.",
];

/** A checkpoint's worth of agent work: about `items` things, in one flavour. */
export function makeState(random: Random, items: number, flavour: Flavour): Pick<HandoffInput, "checkpoint" | "state"> {
  const say = speaker(random, flavour);
  const many = (share: number): number => Math.max(1, Math.round(items * share));
  const list = <T>(share: number, make: (index: number) => T): T[] => Array.from({ length: many(share) }, (_, index) => make(index));
  const tasks = list(0.2, (index) => makeTask(random, index, say));
  return {
    checkpoint: {
      checkpoint_id: `ckpt-20261115-${random.integer(100_000, 235_959)}-${hex(random, 8)}`,
      trail: random.pick(["main", "session/3f2a", "run/build-7"]),
      trigger: random.pick(["manual", "hook:PreCompact", "task", "phase"]),
      notes: random.chance(0.6) ? say() : null,
      agent_id: `agent-${random.integer(1, 9)}`,
      agent_tier: random.integer(0, 4),
    },
    state: {
      goal: `${random.pick(VERBS)} ${random.pick(THINGS)} ${say()}`,
      success_criteria: [`${random.pick(VERBS)} ${random.pick(THINGS)} and the suite is green`, say()],
      next_action: `Run the tests of ${random.pick(PATHS)}, then ${say()}`,
      constraints: RULES.filter(() => random.chance(0.5)).concat(say()).map((text) => ({ text, by: random.pick(["person", "agent:lead"]) })),
      approvals_pending: random.chance(0.5) ? [{ what: `${random.pick(VERBS)} ${random.pick(THINGS)}`, step: "deploy", requested_by: "agent-2" }] : [],
      decisions: list(0.1, () => ({ what: `${random.pick(VERBS)} ${random.pick(THINGS)} ${say()}`, why: random.pick(REASONS), at: isoStamp(random), by: "agent:lead" })),
      blockers: list(0.02, () => ({ text: say(), by: "agent:lead" })),
      gotchas: list(0.07, () => ({ text: `${say()}: ${random.pick(REASONS)}`, by: "agent:lead" })),
      phase: { name: `Phase 5: ${random.pick(THINGS)}`, number: 5, status: "in_progress", started_at: null, notes: say() },
      phases_completed: [1, 2, 3],
      tasks,
      active_task_id: tasks[0]!.id,
      dependencies: list(0.04, (index) => ({ name: `${random.pick(["vault", "ledger", "dragonfly", "postgres", "registry"])}-${index}`, type: "service", status: random.chance(0.8) ? "available" : "unavailable", endpoint: `https://10.0.${random.integer(0, 9)}.${random.integer(2, 250)}:${random.integer(1024, 9999)}`, last_checked: null })),
      variables: Object.fromEntries(list(0.14, (index) => [`${random.pick(["target", "rollback", "build", "region", "tenant"])}_${index}`, makeValue(random, flavour)])),
      recent_outputs: list(0.06, () => ({ type: "evidence", id: `evd-${uuid(random)}`, action: random.pick(["terraform", "ansible", "test"]), success: random.chance(0.8), timestamp: isoStamp(random) })),
      files_touched: touched(random, many(0.22)),
      commands: list(0.1, () => ({ argv: ["npm", "test", "--", random.pick(PATHS)], ok: random.chance(0.6), at: isoStamp(random) })),
      checks_failing: list(0.03, () => `npm test -- ${random.pick(PATHS)}: ${flavour === "logs" ? logText(random, 4) : say()}`),
      subagents: list(0.02, () => ({ id: `agent-${hex(random, 6)}`, status: random.pick(["running", "completed"]), task: say() })),
      workspace: { head: hex(random, 40), branch: `feature/${random.pick(THINGS).replaceAll(/\W+/g, "-")}`, dirty: random.chance(0.5) },
    },
  };
}

/** Work stays in a few folders: neighbours of a few random files. */
function touched(random: Random, count: number): string[] {
  const starts = Array.from({ length: Math.ceil(count / 5) }, () => random.integer(0, PATHS.length - 1));
  return Array.from({ length: count }, () => PATHS[Math.min(PATHS.length - 1, random.pick(starts) + random.integer(0, 9))]!);
}

function makeTask(random: Random, index: number, say: () => string): Task {
  const status: TaskStatus = index === 0 ? "in_progress" : random.pick(["pending", "pending", "blocked", "completed", "completed", "completed"] as const);
  const task = { id: String(index + 1), subject: `${random.pick(VERBS)} ${random.pick(THINGS)} ${random.chance(0.4) ? say() : ""}`, status, owner: random.chance(0.3) ? `agent-${random.integer(1, 9)}` : null, blocks: [], blocked_by: status === "blocked" ? [String(random.integer(1, index + 1))] : [] };
  return status === "completed" && random.chance(0.5) ? { ...task, evidence: `commit ${hex(random, 7)}` } : task;
}

function makeValue(random: Random, flavour: Flavour): string | number | boolean | null {
  if (flavour === "json") return jsonText(random, random.integer(1, 2));
  if (flavour === "hashes") return random.pick([hex(random, 64), base64(random, 60), uuid(random)]);
  return random.pick([random.integer(0, 1e6), true, `v1.${random.integer(0, 30)}.${random.integer(0, 9)}`, hex(random, 40), random.pick(PATHS), null]);
}

/** Sentences in the voice of a flavour. */
function speaker(random: Random, flavour: Flavour): () => string {
  switch (flavour) {
    case "Chinese":
      return () => random.pick(translated("zh-cn"));
    case "German":
      return () => random.pick(translated("de"));
    case "prose":
      return () => random.pick(sentences());
    case "code":
      return () => random.pick(codeLines());
    case "logs":
      return () => logText(random, 1).trim();
    case "hashes":
      return () => `${random.pick(VERBS)} ${random.pick(THINGS)} at ${hex(random, 40)}`;
    case "terse":
      return () => random.pick(["see above", "ok", "wip", "n/a", "later"]);
    default:
      return () => `${random.pick(VERBS).toLowerCase()} ${random.pick(THINGS)} because ${random.pick(REASONS)}.`;
  }
}

const cache = new Map<string, string[]>();

function translated(locale: string): string[] {
  return remembered(locale, () => {
    const path = join(ROOT, "bench/node_modules/typescript-locales/lib", locale, "diagnosticMessages.generated.json");
    return Object.values(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>);
  });
}

/** Sentences that people wrote about code: the comments of Node's declarations. */
function sentences(): string[] {
  return remembered("sentences", () => {
    const text = globSync("node_modules/@types/node/*.d.ts", { cwd: ROOT }).toSorted().map(read).join("\n");
    const comments = [...text.matchAll(/\/\*\*([^]*?)\*\//g)].map((match) => match[1]!.replaceAll(/\s*\n\s*\*\s?/g, " "));
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
