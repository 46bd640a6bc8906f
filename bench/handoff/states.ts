import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Task, TaskStatus } from "../../src/work/state/work-state.ts";
import type { HandoffInput } from "../../src/work/handoff/handoff.ts";
import { base64, hex, isoStamp, jsonText, logText, uuid } from "./generators.ts";
import type { Random } from "./random.ts";
import { REASONS, speaker, THINGS, VERBS, type Flavour } from "./voices.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Of pinned packages only: the states must not change when a file is added to this project.
const PATHS = globSync("node_modules/{zod/src,vitest/dist,fast-check/lib,@types/node}/**/*.{ts,js}", {
  cwd: ROOT,
})
  .map((path) => path.replace(/^node_modules\//, "packages/"))
  .toSorted();

const RULES = [
  "Never touch the production database; use the staging replica.",
  "Do not change the public API of the client package.",
  "All new code needs tests; coverage must not fall below 85 %.",
  "Keep the migration reversible.",
  "No new runtime dependencies without asking.",
  "Secrets stay in Vault; never print them.",
  "Commit to the feature branch only; a person merges.",
  "Do not delete or rewrite anything under archive/.",
];

/** A checkpoint's worth of agent work: about `items` things, in one flavour. */
export function makeState(
  random: Random,
  items: number,
  flavour: Flavour,
): Pick<HandoffInput, "checkpoint" | "state"> {
  const say = speaker(random, flavour);
  const many = (share: number): number => Math.max(1, Math.round(items * share));
  const list = <T>(share: number, make: (index: number) => T): T[] =>
    Array.from({ length: many(share) }, (_, index) => make(index));
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
      constraints: RULES.filter(() => random.chance(0.5))
        .concat(say())
        .map((text) => ({ text, by: random.pick(["person", "agent:lead"]) })),
      approvals_pending: random.chance(0.5)
        ? [{ what: `${random.pick(VERBS)} ${random.pick(THINGS)}`, step: "deploy", requested_by: "agent-2" }]
        : [],
      decisions: list(0.1, () => ({
        what: `${random.pick(VERBS)} ${random.pick(THINGS)} ${say()}`,
        why: random.pick(REASONS),
        at: isoStamp(random),
        by: "agent:lead",
      })),
      blockers: list(0.02, () => ({ text: say(), by: "agent:lead" })),
      gotchas: list(0.07, () => ({ text: `${say()}: ${random.pick(REASONS)}`, by: "agent:lead" })),
      phase: {
        name: `Phase 5: ${random.pick(THINGS)}`,
        number: 5,
        status: "in_progress",
        started_at: null,
        notes: say(),
      },
      phases_completed: [1, 2, 3],
      tasks,
      active_task_id: tasks[0]!.id,
      dependencies: list(0.04, (index) => ({
        name: `${random.pick(["vault", "ledger", "dragonfly", "postgres", "registry"])}-${index}`,
        type: "service",
        status: random.chance(0.8) ? "available" : "unavailable",
        endpoint: `https://10.0.${random.integer(0, 9)}.${random.integer(2, 250)}:${random.integer(1024, 9999)}`,
        last_checked: null,
      })),
      variables: Object.fromEntries(
        list(0.14, (index) => [
          `${random.pick(["target", "rollback", "build", "region", "tenant"])}_${index}`,
          makeValue(random, flavour),
        ]),
      ),
      recent_outputs: list(0.06, () => ({
        type: "evidence",
        id: `evd-${uuid(random)}`,
        action: random.pick(["terraform", "ansible", "test"]),
        success: random.chance(0.8),
        timestamp: isoStamp(random),
      })),
      files_touched: touched(random, many(0.22)),
      commands: list(0.1, () => ({
        argv: ["npm", "test", "--", random.pick(PATHS)],
        ok: random.chance(0.6),
        at: isoStamp(random),
      })),
      checks_failing: list(
        0.03,
        () => `npm test -- ${random.pick(PATHS)}: ${flavour === "logs" ? logText(random, 4) : say()}`,
      ),
      subagents: list(0.02, () => ({
        id: `agent-${hex(random, 6)}`,
        status: random.pick(["running", "completed"]),
        task: say(),
      })),
      workspace: {
        head: hex(random, 40),
        branch: `feature/${random.pick(THINGS).replaceAll(/\W+/g, "-")}`,
        dirty: random.chance(0.5),
      },
    },
  };
}

/** Work stays in a few folders: neighbours of a few random files. */
function touched(random: Random, count: number): string[] {
  const starts = Array.from({ length: Math.ceil(count / 5) }, () => random.integer(0, PATHS.length - 1));
  return Array.from(
    { length: count },
    () => PATHS[Math.min(PATHS.length - 1, random.pick(starts) + random.integer(0, 9))]!,
  );
}

function makeTask(random: Random, index: number, say: () => string): Task {
  const status: TaskStatus =
    index === 0
      ? "in_progress"
      : random.pick(["pending", "pending", "blocked", "completed", "completed", "completed"] as const);
  const task = {
    id: String(index + 1),
    subject: `${random.pick(VERBS)} ${random.pick(THINGS)} ${random.chance(0.4) ? say() : ""}`,
    status,
    owner: random.chance(0.3) ? `agent-${random.integer(1, 9)}` : null,
    blocks: [],
    blocked_by: status === "blocked" ? [String(random.integer(1, index + 1))] : [],
  };
  return status === "completed" && random.chance(0.5)
    ? { ...task, evidence: `commit ${hex(random, 7)}` }
    : task;
}

function makeValue(random: Random, flavour: Flavour): string | number | boolean | null {
  if (flavour === "json") return jsonText(random, random.integer(1, 2));
  if (flavour === "hashes") return random.pick([hex(random, 64), base64(random, 60), uuid(random)]);
  return random.pick([
    random.integer(0, 1e6),
    true,
    `v1.${random.integer(0, 30)}.${random.integer(0, 9)}`,
    hex(random, 40),
    random.pick(PATHS),
    null,
  ]);
}
