import { DatabaseSync } from "node:sqlite";
import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { autoCheckpoints } from "../../src/work/state/auto.ts";
import { openCairn } from "../../src/work/state/cairn.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { capture } from "../../src/work/capture/capture.ts";
import { forSubagent } from "../../src/work/handoff/for-subagent.ts";
import { exec } from "../../src/capabilities/governance/verbs/exec.ts";
import { gate } from "../../src/capabilities/governance/project-gate/preflight.ts";
import { health } from "../../src/capabilities/governance/project-gate/health.ts";
import { evidenceList, evidenceVerify } from "../../src/capabilities/governance/verbs/evidence.ts";
import { ledgerVerify } from "../../src/capabilities/governance/verbs/ledger.ts";
import type { Sandbox } from "../cli/support/sandbox.ts";
import { Governed } from "../governance/support/governed.ts";
import { startS3Server } from "../remote/support/s3-server.ts";
import { different, done, seed, shows } from "./support/promises.ts";

/** Work with something of everything in it. In this process, because a program for each step takes long. */
async function someWork({ folder, home }: Sandbox): Promise<void> {
  const project = verbs.openProject({ path: folder, env: { HOME: home }, now: () => NOW });
  await verbs.goal(project, { goal: "Ship the checkpoint skill" });
  await verbs.phaseStart(project, { name: "Phase 4: Vault", number: 4 });
  await verbs.phaseComplete(project, {});
  await verbs.phaseStart(project, {
    name: "Phase 5: Agent Bootstrapping",
    number: 5,
    notes: "Working on it",
  });
  await verbs.taskAdd(project, { subject: "Create checkpoint module" });
  await verbs.taskAdd(project, { subject: "Write the summary" });
  await verbs.taskAdd(project, { subject: "Release it", blocked_by: ["2"] });
  await verbs.taskStatus(project, { id: "1", status: "completed", evidence: "npm test" });
  await verbs.taskStatus(project, { id: "2", status: "in_progress" });
  await verbs.decide(project, { what: "Use SQLite", why: "Nothing to install" });
  await verbs.setVariable(project, { key: "target_env", value: "production" });
  await verbs.outputAdd(project, { type: "evidence", id: "evd-20260123-1", action: "terraform" });
  await project.stores.close();
}

const NOW = new Date("2026-01-23T11:59:00Z");

/** Sets a variable so many times. */
async function manySaves({ folder, home }: Sandbox, times: number): Promise<void> {
  const project = verbs.openProject({ path: folder, env: { HOME: home }, now: () => NOW });
  for (let value = 0; value < times; value++) await verbs.setVariable(project, { key: "n", value });
  await project.stores.close();
}

/** A governed project with an authority, and its agent "bot" at T2. */
async function withGovernance(
  use: (box: Governed, bot: () => ReturnType<Governed["as"]>) => Promise<void>,
  config?: string,
): Promise<void> {
  const box = new Governed(config === undefined ? {} : { config });
  try {
    await box.found();
    const env = await box.agent("bot", 2);
    await use(box, () => box.as("bot", env));
  } finally {
    await box.remove();
  }
}

/** Runs a command through the gate. Returns its evidence and status. */
const execute = (project: ReturnType<Governed["as"]>, ...argv: readonly string[]) =>
  exec(project, {
    argv,
    cwd: project.root,
    risk: "high",
    out: () => undefined,
    err: () => undefined,
    onSignal: () => () => undefined,
  });

const idOf = (box: Sandbox) => String(box.json("load")["checkpoint_id"]);

/** A port where something answers like a healthy Vault. */
async function withVault(use: (port: number) => void | Promise<void>): Promise<void> {
  const server = createServer((socket) => {
    socket.once("data", () =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{"sealed":false,"standby":false}'),
    );
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

seed(
  "seed 000, Context Checkpoint Skill",
  {
    "checkpoint now": [
      shows("checkpoint now                         # Basic checkpoint", (box) =>
        expect(done(box, ["now"])).toMatch(/^ckpt-20260123-120\d00-[0-9a-f]{8}\n$/),
      ),
      shows('checkpoint now --notes "Phase 5 start" # With notes', (box) => {
        done(box, ["now", "--notes", "Phase 5 start"]);
        expect(box.json("load")["notes"]).toBe("Phase 5 start");
      }),
      shows("checkpoint now --var key value         # With variables", (box) => {
        done(box, ["now", "--var", "key", "value"]);
        expect(box.json("load")["variables"]).toEqual({ key: "value" });
      }),
      shows("checkpoint now --var a 1 --var b 2     # Multiple variables", (box) => {
        done(box, ["now", "--var", "a", "1", "--var", "b", "2"]);
        expect(box.json("load")["variables"]).toEqual({ a: "1", b: "2" });
      }),
      shows("checkpoint now --json                  # Output JSON", (box) =>
        expect(box.json("now")).toMatchObject({ schema: "cairn/now@1", trail: "main" }),
      ),
      shows("Captures: current phase (from implementation plan)", (box) => {
        box.write("plan.md", "# Plan\n\n## Phase 1: Design (completed)\n\n## Phase 2: Build (in progress)\n");
        box.write("cairn.yaml", "plan: plan.md\n");
        expect(box.json("now")).toMatchObject({
          phase: { number: 2, status: "in_progress" },
          phases_completed: [1],
        });
      }),
      shows("Captures: task states", async (box) => {
        await someWork(box);
        const statuses = (box.json("now")["tasks"] as { status: string }[]).map(({ status }) => status);
        expect(statuses).toEqual(["completed", "in_progress", "blocked"]);
      }),
      shows("Captures: task states from the governance DB", async () =>
        withGovernance(async (_box, bot) => {
          await verbs.taskAdd(bot(), { subject: "Write the test" });
          const { state } = await verbs.now(bot(), { trail: "other" });
          expect(state.tasks).toMatchObject([{ id: "main#1", subject: "Write the test", owner: "bot" }]);
        }),
      ),
      shows("Captures: dependency status (Vault, DragonflyDB)", async (box) =>
        withVault(async (port) => {
          box.write(
            "cairn.yaml",
            `dependencies:\n  - {name: vault, type: vault, endpoint: "http://127.0.0.1:${port}"}\n  - {name: cache, type: redis, endpoint: "127.0.0.1:1"}\n`,
          );
          const { ended } = box.start(["now", "--json"]);
          const { stdout } = await ended;
          expect(JSON.parse(stdout)).toMatchObject({
            dependencies: [
              { name: "vault", type: "vault", status: "available" },
              { name: "cache", type: "redis", status: "unavailable" },
            ],
          });
        }),
      ),
      shows("Captures: dependency status of the ledger", async () =>
        withGovernance(async (_box, bot) => {
          const { state } = await verbs.now(bot(), {});
          expect(state.dependencies).toMatchObject([{ name: "ledger", status: "available" }]);
        }),
      ),
      shows("Captures: custom variables", (box) => {
        done(box, ["set", "region", "eu"], ["now"]);
        expect(box.json("load")["variables"]).toEqual({ region: "eu" });
      }),
      shows("Captures: recent evidence outputs", (box) => {
        done(
          box,
          ["output", "add", "evidence", "evd-1", "--action", "terraform"],
          ["output", "add", "evidence", "evd-2", "--action", "ansible", "--failed"],
        );
        const timestamp = expect.stringMatching(/^2026-01-23T/) as string;
        expect(box.json("now")["recent_outputs"]).toEqual([
          { type: "evidence", id: "evd-1", action: "terraform", success: true, timestamp },
          { type: "evidence", id: "evd-2", action: "ansible", success: false, timestamp },
        ]);
      }),
      shows("Captures: agent ID and tier, as given, by the environment, or by the config", (box) => {
        const seen = (args: string[], env: Record<string, string> = {}) => {
          const { stdout } = box.run(["now", "--json", ...args], { env });
          const { agent_id, agent_tier } = JSON.parse(stdout) as Record<string, unknown>;
          return [agent_id, agent_tier];
        };
        expect(seen([])).toEqual([null, null]);
        expect(seen(["--agent", "my-agent", "--tier", "1"])).toEqual(["my-agent", 1]);
        expect(seen([], { CHECKPOINT_AGENT: "env-agent", CHECKPOINT_TIER: "2" })).toEqual(["env-agent", 2]);
        box.write("cairn.yaml", "agent_id: config-agent\nagent_tier: 3\n");
        expect(seen([])).toEqual(["config-agent", 3]);
        // The config speaks of its own agent only.
        expect(seen(["--agent", "other"])).toEqual(["other", null]);
      }),
      shows("A tier that is proven, and decides what an agent may do", async () =>
        withGovernance(async (box, bot) => {
          const proven = await gate(bot(), { action: "exec.npm" });
          expect(proven).toMatchObject({ decision: "allow", tier: 2, attested: true });
          const claimed = await gate(box.as("other", { CHECKPOINT_TIER: "4" }), { action: "exec.npm" });
          expect(claimed).toMatchObject({ decision: "deny", tier: 0, attested: false });
        }),
      ),
    ],
    "checkpoint load": [
      shows("checkpoint load                          # Load latest", async (box) => {
        await someWork(box);
        const text = done(box, ["load"]);
        for (const part of ["Ship the checkpoint skill", "Phase 5: Agent Bootstrapping", "target_env"])
          expect(text).toContain(part);
      }),
      shows("checkpoint load ckpt-20260123-120000-abc # Load specific", (box) => {
        const first = done(box, ["now", "--notes", "first"]).trim();
        done(box, ["now", "--notes", "second"]);
        expect(box.json("load", first)["notes"]).toBe("first");
        expect(box.json("load", first.slice(0, 20))["notes"]).toBe("first");
      }),
      shows("checkpoint load --json                   # Output JSON", (box) => {
        done(box, ["now"]);
        expect(box.json("load")["schema"]).toBe("cairn/load@1");
      }),
    ],
    "checkpoint diff": [
      shows("checkpoint diff                            # Latest vs previous", (box) => {
        done(box, ["now"], ["set", "a", "1"]);
        expect(done(box, ["diff"])).toContain("+ a = 1");
      }),
      shows("checkpoint diff --from ckpt-A --to ckpt-B  # Specific comparison", (box) => {
        const from = done(box, ["now"]).trim();
        done(box, ["set", "a", "1"]);
        const to = idOf(box);
        done(box, ["set", "b", "2"]);
        expect(box.json("diff", "--from", from, "--to", to)["variables"]).toMatchObject({
          added: { a: "1" },
        });
      }),
      shows("checkpoint diff --json                     # Output JSON", (box) => {
        done(box, ["now"], ["now"]);
        expect(box.json("diff")).toMatchObject({ schema: "cairn/diff@1", changed: false });
      }),
      shows("Detects: phase changes", (box) => {
        done(box, ["phase", "start", "Build"], ["phase", "complete"]);
        expect(box.json("diff")["phase"]).toMatchObject({
          from: { status: "in_progress" },
          to: { status: "completed" },
        });
      }),
      shows("Detects: task additions/removals/status changes", (box) => {
        done(box, ["now"], ["task", "add", "One"]);
        expect(box.json("diff")["tasks"]).toMatchObject({ added: [{ id: "1" }] });
        done(box, ["task", "start", "1"]);
        const status = { from: "pending", to: "in_progress" };
        expect(box.json("diff")["tasks"]).toMatchObject({ changed: [{ id: "1", fields: { status } }] });
        done(box, ["undo"], ["undo"]);
        expect(box.json("diff")["tasks"]).toMatchObject({ removed: [{ id: "1" }] });
      }),
      shows("Detects: dependency status changes", async (box) =>
        withVault(async (port) => {
          const declare = (at: number) =>
            box.write(
              "cairn.yaml",
              `dependencies:\n  - {name: vault, type: vault, endpoint: "http://127.0.0.1:${at}"}\n`,
            );
          declare(port);
          await box.start(["now"]).ended;
          declare(1);
          await box.start(["now"]).ended;
          expect(done(box, ["diff"])).toMatch(/vault.*available → unavailable/);
        }),
      ),
      shows("Detects: variable additions/changes/removals", (box) => {
        done(box, ["now", "--var", "a", "1"], ["set", "a", "2"]);
        expect(done(box, ["diff"])).toContain("~ a: 1 → 2");
        done(box, ["unset", "a"]);
        expect(done(box, ["diff"])).toContain("- a");
      }),
    ],
    "checkpoint list": [
      shows("checkpoint list             # Last 20", async (box) => {
        await manySaves(box, 22);
        expect(done(box, ["list"]).trim().split("\n")).toHaveLength(20);
        expect(box.json("list", "--limit", "50")["checkpoints"]).toHaveLength(22);
      }),
      shows("checkpoint list --limit 50  # Custom limit", (box) => {
        done(box, ["now"], ["now"], ["now"]);
        expect(done(box, ["list", "--limit", "2"]).trim().split("\n")).toHaveLength(2);
      }),
      shows("checkpoint list --json      # Output JSON", (box) => {
        done(box, ["now"]);
        expect(box.json("list")).toMatchObject({ schema: "cairn/list@1", trail: "main" });
      }),
    ],
    "checkpoint summary": [
      shows("checkpoint summary                  # Compact (default)", async (box) => {
        await someWork(box);
        expect(done(box, ["summary"])).toBe(done(box, ["summary", "--level", "compact"]));
      }),
      shows("minimal ~500, compact ~1000, standard ~2000, full ~4000 tokens", async (box) => {
        await someWork(box);
        for (const [level, most] of Object.entries(LEVELS)) {
          const { tokens, budget } = box.json("summary", "--level", level) as {
            tokens: { upper: number };
            budget: { max_tokens: number };
          };
          expect(budget.max_tokens).toBe(most);
          expect(tokens.upper).toBeLessThanOrEqual(most);
        }
      }),
      shows("minimal: phase, active task, agent, available deps", async (box) => {
        await someWork(box);
        const text = done(box, ["now", "--agent", "my-agent"], ["summary", "--level", "minimal"]);
        for (const part of ["Phase 5: Agent Bootstrapping", "Active task #2", "Agent my-agent"])
          expect(text).toContain(part);
      }),
      shows("compact: + in-progress tasks, pending count, key vars", async (box) => {
        await someWork(box);
        const text = done(box, ["summary", "--level", "compact", "--keys", "target_env"]);
        for (const part of ["1 in progress", "1 blocked", "target_env: production"])
          expect(text).toContain(part);
      }),
      shows("standard: + all tasks, all deps, recent outputs", async (box) => {
        await someWork(box);
        const text = done(box, ["summary", "--level", "standard"]);
        for (const part of ["Release it", "Create checkpoint module", "evd-20260123-1"])
          expect(text).toContain(part);
      }),
      shows("full: + all variables, completed phases, metadata", async (box) => {
        await someWork(box);
        const text = done(box, ["summary", "--level", "full"]);
        for (const part of ["target_env: production", "Phases completed: 4", "trail main"])
          expect(text).toContain(part);
      }),
      shows("The four levels differ, for a small state too", async (box) => {
        await someWork(box);
        const texts = Object.keys(LEVELS).map((level) => done(box, ["summary", "--level", level]));
        expect(new Set(texts.map((text) => text.replaceAll(/data-\d+/g, "data"))).size).toBe(4);
        const lengths = texts.map((text) => text.length);
        expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
      }),
      shows(
        "checkpoint summary --for terraform  # Infrastructure dependencies, service status",
        async (box) =>
          withVault(async (port) => {
            box.write(
              "cairn.yaml",
              `dependencies:\n  - {name: vault, type: vault, endpoint: "http://127.0.0.1:${port}"}\n  - {name: cache, type: redis, endpoint: "127.0.0.1:1"}\n`,
            );
            await someWork(box);
            await box.start(["now"]).ended;
            const text = done(box, ["summary", "--level", "minimal", "--for", "terraform"]);
            expect(relevantPart(text)).toMatch(/vault.*available[\s\S]*cache.*unavailable/);
          }),
      ),
      shows("--for database, query, ledger       # Database connections, endpoints", async (box) => {
        await someWork(box);
        done(box, ["set", "database_url_host", "db.internal:5432"]);
        expect(relevantPart(done(box, ["summary", "--for", "database"]))).toContain("db.internal:5432");
      }),
      shows("--for promotion, revocation, governance # Agent tier, governance variables", async (box) => {
        await someWork(box);
        done(box, ["set", "current_tier", "2"], ["now", "--agent", "my-agent", "--tier", "2"]);
        const part = relevantPart(done(box, ["summary", "--for", "governance"]));
        expect(part).toContain("Agent my-agent, tier 2");
        expect(part).toContain("current_tier: 2");
      }),
      shows("ContextSummarizer.for_subagent(task, relevant_keys, max_tokens)", async (box) => {
        const cairn = await openCairn({ path: box.folder });
        const trail = cairn.trail("main");
        await trail.commit((state) => {
          state.variables = { agent_id: "a-7", current_tier: 2, other: "x" };
        });
        const { state, ...checkpoint } = await trail.load();
        const { text } = forSubagent(
          { checkpoint, state, key: (await cairn.store.identity()).key, resumeCommand: "" },
          "promotion",
          { relevantKeys: ["agent_id", "current_tier"], maxTokens: 500 },
        );
        await cairn.close();
        expect(text).toContain("agent_id: a-7");
        expect(text).toContain("current_tier: 2");
      }),
    ],
    "checkpoint prune": [
      shows("checkpoint prune             # Keep default (50)", async (box) => {
        await manySaves(box, 53);
        const { kept, removed } = box.json("prune");
        expect([kept, removed].map((list) => (list as unknown[]).length)).toEqual([50, 3]);
      }),
      shows("checkpoint prune --keep 10   # Keep only 10", async (box) => {
        await manySaves(box, 12);
        done(box, ["prune", "--keep", "10"]);
        expect(box.json("list")["checkpoints"]).toHaveLength(10);
      }),
    ],
    "Auto-Checkpoint Events": [
      shows("On phase transitions, on task completion, on error", async (box) => {
        const cairn = await openCairn({ path: box.folder });
        const trail = cairn.trail("main");
        const auto = autoCheckpoints(trail);
        await auto.phaseCompleted(5);
        await auto.taskCompleted("1", { tests: "68/68" });
        await auto.failed(new Error("No compiler"));
        const triggers = (await trail.history()).map(({ trigger }) => trigger);
        await cairn.close();
        expect(triggers).toEqual(["error", "task", "phase"]);
      }),
      shows("By governance hooks", async () =>
        withGovernance(async (_box, bot) => {
          await execute(bot(), process.execPath, "-e", "0");
          const { checkpoints } = await verbs.list(bot(), {});
          expect(checkpoints.filter(({ trigger }) => trigger === "exec")).toHaveLength(2);
        }),
      ),
    ],
    "Restoring After Restart": [
      shows("checkpoint summary --level compact > /tmp/context.txt", async (box) => {
        await someWork(box);
        const { stdout, stderr } = box.run(["summary", "--level", "compact"]);
        expect(stdout).toContain("Ship the checkpoint skill");
        expect(stderr).toBe("");
      }),
      shows('os.environ[f"CKPT_{key.upper()}"] = str(value)', (box) => {
        done(box, ["now", "--var", "target_env", "it's"]);
        expect(done(box, ["load", "--env"])).toBe(String.raw`export CKPT_TARGET_ENV='it'\''s'` + "\n");
      }),
    ],
    "Storage Format": [
      shows("Checkpoint JSON structure: every field is there, null where there is none", async (box) => {
        expect(Object.keys(box.json("now"))).toEqual(expect.arrayContaining([...SEED_FIELDS]));
        expect(box.json("now")).toMatchObject({ phase: null, active_task_id: null, agent_tier: null });
        await someWork(box);
        expect(box.json("load")).toMatchObject({
          phase: { name: "Phase 5: Agent Bootstrapping", number: 5, status: "in_progress" },
          phases_completed: [4],
          active_task_id: "2",
        });
      }),
      shows("A printed document can be imported, and its hash still proves it", (box) => {
        const document = done(box, ["now", "--json"]);
        const { stdout } = box.run(["import", "-", "--json"], { input: document });
        expect(JSON.parse(stdout)).toMatchObject({ format: "checkpoint", proven: true });
      }),
      shows("The seed's own JSON: agent and session are kept, and the tier under `imported`", (box) => {
        box.write("seed.json", JSON.stringify(SEED_DOCUMENT));
        done(box, ["import", "seed.json"]);
        expect(box.json("load")).toMatchObject({
          agent_id: "my-agent",
          session_id: "optional-session-id",
          agent_tier: null,
          active_task_id: "2",
          phase: { number: 5 },
          variables: { custom_key: "custom_value" },
          recent_outputs: [{ type: "evidence", action: "terraform" }],
          imported: { "seed.json": { agent_id: "my-agent", agent_tier: 1 } },
        });
      }),
      different(
        "/opt/agent-governance/checkpoint/storage/*.json",
        "one SQLite file in .cairn: a folder of JSON files can lose a write and cannot be locked",
      ),
      shows("templates/  # Future: checkpoint templates", (box) => {
        const listed = box.json("templates")["templates"] as { name: string }[];
        expect(listed.map(({ name }) => name)).toContain("eight-agents");
        done(box, ["templates", "eight-agents", "--to", "mine"], ["run", "mine/workflow.yaml", "--dry-run"]);
      }),
    ],
    Extensibility: [
      shows(
        "Adding custom state collectors to the command: a program whose JSON goes into variables",
        (box) => {
          box.write("collect.js", 'console.log(JSON.stringify({ my_data: "…", queue: 3 }))\n');
          const command = JSON.stringify([process.execPath, "collect.js"]);
          box.write("cairn.yaml", `collectors:\n  - name: mine\n    command: ${command}\n`);
          // A repository decides nothing: the user has to accept it first.
          expect(box.run(["now"]).stderr).toContain("does NOT run until you accept it");
          expect(box.json("load")["variables"]).toEqual({});
          done(box, ["config", "--accept-collectors"], ["now"]);
          expect(box.json("load")["variables"]).toEqual({ my_data: "…", queue: 3 });
        },
      ),
      shows("Adding custom state collectors", async (box) => {
        const cairn = await openCairn({ path: box.folder });
        const trail = cairn.trail("main");
        await capture(trail, [{ name: "mine", collect: async () => ({ my_data: "..." }) }]);
        const { variables } = (await trail.load()).state;
        await cairn.close();
        expect(variables).toEqual({ my_data: "..." });
      }),
      shows("Planned: S3/remote sync", async (box) => {
        const server = await startS3Server();
        try {
          const url = `s3://bucket/work?endpoint=${server.endpoint}`;
          const env = {
            AWS_ACCESS_KEY_ID: "key",
            AWS_SECRET_ACCESS_KEY: "secret",
          };
          const other = join(box.home, "other");
          mkdirSync(other);
          const run = async (cwd: string, ...args: string[]) => {
            const { stdout, stderr, status } = await box.start(args, { cwd, env }).ended;
            expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({
              args,
              status: 0,
              stderr: "",
            });
            return stdout;
          };
          await run(box.folder, "goal", "Ship it");
          await run(box.folder, "remote", "add", "origin", url);
          await run(box.folder, "push");
          await run(other, "clone", url);
          expect(await run(other, "goal")).toBe("Ship it\n");
        } finally {
          await server.close();
        }
      }),
      different(
        "JSON files with DragonflyDB caching",
        "SQLite, not JSON files; Redis or Valkey caches what is newest on a remote: tests/remote/cache.test.ts",
      ),
    ],
    "Integration with Agent Governance": [
      shows("Preflight gate, wrappers for tf/ansible, evidence package", async () =>
        withGovernance(async (_box, bot) => {
          const asked = await gate(bot(), { action: "infra.terraform.apply" });
          expect(asked).toMatchObject({ decision: "ask", risk: "high" });
          await expect(execute(bot(), "terraform", "apply")).rejects.toMatchObject({ code: "refused" });
          const { evidence, exitCode } = await execute(bot(), process.execPath, "-e", "process.exit(3)");
          expect([exitCode, evidence]).toEqual([3, expect.stringMatching(/^evd-/)]);
          expect(await evidenceList(bot(), 10)).toMatchObject([
            { id: evidence, agent: "bot", success: false },
          ]);
          expect(await evidenceVerify(bot(), evidence)).toMatchObject([{ id: evidence }]);
        }),
      ),
      shows("SQLite ledger: agent_actions, violations, promotions, tasks", async () =>
        withGovernance(async (box, bot) => {
          await verbs.taskAdd(bot(), { subject: "Write the test" });
          await expect(execute(box.as("other"), "true")).rejects.toMatchObject({ code: "refused" });
          expect((await ledgerVerify(box.as(), [])).problem).toBeUndefined();
          await box.close();
          const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"), { readOnly: true });
          const agents = (view: string) =>
            db
              .prepare(`SELECT DISTINCT agent FROM ${view}`)
              .all()
              .map(({ agent }) => agent);
          expect(["agent_actions", "violations", "promotions", "tasks"].map(agents)).toEqual([
            expect.arrayContaining(["bot"]),
            ["other"],
            ["bot"],
            ["bot"],
          ]);
          db.close();
        }),
      ),
      shows("Vault integration with tiered policies (T0-T4)", (box) => {
        box.write("cairn.yaml", "governance: on\n");
        const policies = done(box, ["vault", "policies"]);
        for (const tier of [0, 1, 2, 3, 4]) expect(policies).toContain(`t${tier}`);
        expect(policies).toContain("transit/sign/cairn");
      }),
      shows("Health manager and circuit breaker", async () =>
        withGovernance(async (box) => {
          for (const breaker of ["closed", "closed", "open"])
            expect((await health(box.as())).dependencies).toMatchObject([
              { name: "api", status: "unavailable", breaker },
            ]);
        }, 'governance: on\ndependencies:\n  - { name: api, endpoint: "http://127.0.0.1:1/" }\n'),
      ),
    ],
    Troubleshooting: [
      shows('"No checkpoint found": create one first: checkpoint now', (box) =>
        expect(box.see("load")).toContain("checkpoint now"),
      ),
      shows("Missing dependencies: docker exec vault vault status; redis-cli PING", (box) => {
        box.write("cairn.yaml", "dependencies:\n  - {name: cache, type: redis, endpoint: '127.0.0.1:1'}\n");
        expect(box.run(["doctor"]).stdout).toMatch(/cache/);
      }),
    ],
  },
  { shown: 57, different: 2 },
);

const LEVELS = { minimal: 500, compact: 1000, standard: 2000, full: 4000 };

/** What a summary puts first, because it matters for the task at hand. */
const relevantPart = (text: string) => /## Relevant to[\s\S]*?(?=\n## |\n<\/data)/.exec(text)?.[0] ?? "";

const SEED_FIELDS = [
  "checkpoint_id",
  "created_at",
  "session_id",
  "phase",
  "phases_completed",
  "tasks",
  "active_task_id",
  "dependencies",
  "variables",
  "recent_outputs",
  "agent_id",
  "agent_tier",
  "content_hash",
  "parent_checkpoint_id",
  "estimated_tokens",
] as const;

const SEED_DOCUMENT = {
  checkpoint_id: "ckpt-20260123-120000-abc12345",
  created_at: "2026-01-23T12:00:00.000000+00:00",
  session_id: "optional-session-id",
  phase: {
    name: "Phase 5: Agent Bootstrapping",
    number: 5,
    status: "in_progress",
    started_at: "2026-01-23T10:00:00+00:00",
    notes: "Working on checkpoint skill",
  },
  phases_completed: [1, 2, 3, 4],
  tasks: [
    {
      id: "1",
      subject: "Create checkpoint module",
      status: "completed",
      owner: null,
      blocks: [],
      blocked_by: [],
    },
  ],
  active_task_id: "2",
  dependencies: [
    {
      name: "vault",
      type: "service",
      status: "available",
      endpoint: "https://127.0.0.1:8200",
      last_checked: "2026-01-23T12:00:00+00:00",
    },
  ],
  variables: { custom_key: "custom_value" },
  recent_outputs: [
    {
      type: "evidence",
      id: "evd-20260123-1",
      action: "terraform",
      success: true,
      timestamp: "2026-01-23T11:30:00+00:00",
    },
  ],
  agent_id: "my-agent",
  agent_tier: 1,
  content_hash: "abc123...",
  parent_checkpoint_id: "ckpt-20260123-110000-def",
  estimated_tokens: 450,
};
