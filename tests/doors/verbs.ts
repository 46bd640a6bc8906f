import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../src/project/project.ts";
import * as verbs from "../../src/project/index.ts";

/** How one verb is called through each door. A text instead of a call is the reason why that door has none. */
export interface VerbCase {
  /** What must have happened before. */
  readonly before?: (project: Project) => Promise<unknown>;
  readonly library: (project: Project, trail?: string) => Promise<unknown>;
  readonly command: readonly string[];
  readonly tool: readonly [name: string, input: Record<string, unknown>] | string;
  /** For verbs that only look: the part of each door's answer that must be the same. */
  readonly seen?: (answer: never) => unknown;
  /** Whether it writes to a trail: then it refuses those of runs. */
  readonly writes?: boolean;
}

type Verified = Awaited<ReturnType<typeof verbs.verify>>;
type Pruned = Awaited<ReturnType<typeof verbs.prune>>;

const FEW_TOOLS =
  "every tool costs an agent some hundred tokens with each request; this one is typed in the shell when it is needed";
const GOES_BACK = "going back is decided by a person, or by an agent that types the command on purpose";

const withTasks = async (project: Project) => {
  await verbs.taskAdd(project, { subject: "Write the test" });
  await verbs.taskAdd(project, { subject: "Make it pass", blocked_by: ["1"] });
};
const withGoal = (project: Project) => verbs.goal(project, { goal: "Ship the login page" });
const withRule = (project: Project) => verbs.constraint(project, { text: "Never touch production" });
const withTwo = async (project: Project) => {
  await withGoal(project);
  await verbs.decide(project, { what: "Use SQLite", why: "Nothing to install" });
};

const withTag = async (project: Project) => {
  await withTwo(project);
  await verbs.tag(project, { name: "v1" });
};

/** Every verb. A verb that is missing here fails the test that counts them. */
export const VERBS: Readonly<Record<string, VerbCase>> = {
  now: {
    before: withGoal,
    library: (project, trail) => verbs.now(project, { notes: "before", variables: { region: "eu" }, trail }),
    command: ["now", "--notes", "before", "--var", "region", "eu"],
    tool: ["now", { notes: "before", variables: { region: "eu" } }],
    writes: true,
  },
  goal: {
    library: (project, trail) => verbs.goal(project, { goal: "Ship it", done_when: ["Tests pass"], trail }),
    command: ["goal", "Ship it", "--done-when", "Tests pass"],
    tool: ["goal", { goal: "Ship it", done_when: ["Tests pass"] }],
    writes: true,
  },
  next: {
    library: (project, trail) => verbs.next(project, { next_action: "Write the test", trail }),
    command: ["next", "Write the test"],
    tool: ["next", { next_action: "Write the test" }],
    writes: true,
  },
  constraint: {
    library: (project, trail) => verbs.constraint(project, { text: "Never touch production", trail }),
    command: ["constraint", "Never touch production"],
    tool: FEW_TOOLS,
    writes: true,
  },
  decide: {
    library: (project, trail) => verbs.decide(project, { what: "Use SQLite", why: "It is there", trail }),
    command: ["decide", "Use SQLite", "--why", "It is there"],
    tool: ["decide", { what: "Use SQLite", why: "It is there" }],
    writes: true,
  },
  block: {
    library: (project, trail) => verbs.block(project, { text: "No access", trail }),
    command: ["block", "No access"],
    tool: FEW_TOOLS,
    writes: true,
  },
  unblock: {
    before: (project) => verbs.block(project, { text: "No access" }),
    library: (project, trail) => verbs.unblock(project, { which: "1", trail }),
    command: ["unblock", "1"],
    tool: FEW_TOOLS,
    writes: true,
  },
  phaseStart: {
    library: (project, trail) => verbs.phaseStart(project, { name: "Build", number: 2, trail }),
    command: ["phase", "start", "Build", "--number", "2"],
    tool: FEW_TOOLS,
    writes: true,
  },
  phaseComplete: {
    before: (project) => verbs.phaseStart(project, { name: "Build", number: 2 }),
    library: (project, trail) => verbs.phaseComplete(project, { output: "build-7", trail }),
    command: ["phase", "complete", "--output", "build-7"],
    tool: FEW_TOOLS,
    writes: true,
  },
  phaseFail: {
    before: (project) => verbs.phaseStart(project, { name: "Build" }),
    library: (project, trail) => verbs.phaseFail(project, { why: "No compiler", trail }),
    command: ["phase", "fail", "--why", "No compiler"],
    tool: FEW_TOOLS,
    writes: true,
  },
  outputAdd: {
    library: (project, trail) =>
      verbs.outputAdd(project, { type: "evidence", id: "evd-7", action: "terraform", trail }),
    command: ["output", "add", "evidence", "evd-7", "--action", "terraform"],
    tool: FEW_TOOLS,
    writes: true,
  },
  setVariable: {
    library: (project, trail) => verbs.setVariable(project, { key: "region", value: "eu", trail }),
    command: ["set", "region", "eu"],
    tool: FEW_TOOLS,
    writes: true,
  },
  unsetVariable: {
    before: (project) => verbs.setVariable(project, { key: "region", value: "eu" }),
    library: (project, trail) => verbs.unsetVariable(project, { key: "region", trail }),
    command: ["unset", "region"],
    tool: FEW_TOOLS,
    writes: true,
  },
  constraintList: {
    before: withRule,
    library: async (project, trail) => ({ constraints: await verbs.constraintList(project, { trail }) }),
    command: ["constraint", "list"],
    tool: FEW_TOOLS,
    seen: ({ constraints }: { constraints: unknown }) => constraints,
  },
  constraintEdit: {
    before: withRule,
    library: (project, trail) =>
      verbs.constraintEdit(project, { which: "production", text: "Ask first", trail }),
    command: ["constraint", "edit", "production", "Ask first"],
    tool: FEW_TOOLS,
    writes: true,
  },
  constraintRemove: {
    before: withRule,
    library: (project, trail) => verbs.constraintRemove(project, { which: "1", trail }),
    command: ["constraint", "remove", "1"],
    tool: FEW_TOOLS,
    writes: true,
  },
  decisionList: {
    before: withTwo,
    library: async (project, trail) => ({ decisions: await verbs.decisionList(project, { trail }) }),
    command: ["decision", "list"],
    tool: FEW_TOOLS,
    seen: ({ decisions }: { decisions: unknown }) => decisions,
  },
  decisionEdit: {
    before: withTwo,
    library: (project, trail) => verbs.decisionEdit(project, { which: "1", why: "It is there", trail }),
    command: ["decision", "edit", "1", "--why", "It is there"],
    tool: FEW_TOOLS,
    writes: true,
  },
  decisionRemove: {
    before: withTwo,
    library: (project, trail) => verbs.decisionRemove(project, { which: "sqlite", trail }),
    command: ["decision", "remove", "sqlite"],
    tool: FEW_TOOLS,
    writes: true,
  },
  taskRename: {
    before: withTasks,
    library: (project, trail) => verbs.taskRename(project, { id: "2", subject: "Make it fast", trail }),
    command: ["task", "rename", "2", "Make it fast"],
    tool: FEW_TOOLS,
    writes: true,
  },
  taskAdd: {
    before: withTasks,
    library: (project, trail) =>
      verbs.taskAdd(project, { subject: "Deploy", owner: "ops", blocked_by: ["2"], trail }),
    command: ["task", "add", "Deploy", "--owner", "ops", "--blocked-by", "2"],
    tool: ["task_add", { subject: "Deploy", owner: "ops", blocked_by: ["2"] }],
    writes: true,
  },
  taskStatus: {
    before: withTasks,
    library: (project, trail) =>
      verbs.taskStatus(project, { id: "1", status: "completed", evidence: "npm test", trail }),
    command: ["task", "done", "1", "--evidence", "npm test"],
    tool: ["task_status", { id: "1", status: "completed", evidence: "npm test" }],
    writes: true,
  },
  taskList: {
    before: withTasks,
    library: (project, trail) => verbs.taskList(project, { trail }),
    command: ["task", "list"],
    tool: ["tasks", {}],
    seen: ({ tasks, over }: { tasks: unknown; over: unknown }) => ({ tasks, over }),
  },
  load: {
    before: withTwo,
    library: async (project, trail) => ({ goal: (await verbs.load(project, { trail })).state.goal }),
    command: ["load"],
    tool: ["load", {}],
    // The command prints a checkpoint flat, the tool keeps its state apart.
    seen: ({ goal, state }: { goal?: string; state?: { goal: string } }) => goal ?? state?.goal,
  },
  list: {
    before: withTwo,
    library: (project, trail) => verbs.list(project, { trail }),
    command: ["list"],
    tool: ["list", {}],
    seen: ({ trail, checkpoints }: verbs.ListResult) => ({ trail, count: checkpoints.length }),
  },
  log: {
    before: withTwo,
    library: (project, trail) => verbs.log(project, { trail }),
    command: ["log"],
    tool: "an agent reads list and diff, which take fewer tokens",
    seen: ({ checkpoints }: verbs.LogResult) => checkpoints.map(({ is_head, changes }) => [is_head, changes]),
  },
  diff: {
    before: withTwo,
    library: async (project, trail) => {
      const { changes, ...pair } = await verbs.diff(project, { trail });
      return { ...pair, ...changes };
    },
    command: ["diff"],
    tool: ["diff", {}],
    seen: ({ changed, other }: { changed: boolean; other: unknown }) => ({ changed, other }),
  },
  status: {
    before: withTwo,
    library: async (project, trail) => (await verbs.status(project, { trail })).status,
    command: ["status"],
    tool: "handoff tells an agent the same, within a budget",
    seen: ({ goal, go_on }: verbs.StatusResult) => ({ goal, go_on }),
  },
  summary: {
    before: withTwo,
    library: (project, trail) => verbs.summary(project, { level: "compact", trail }),
    command: ["summary", "--level", "compact"],
    tool: ["handoff", { level: "compact" }],
    seen: ({ text, budget }: verbs.SummaryResult) => ({ text, budget }),
  },
  unfinished: {
    before: withTasks,
    library: async (project) => ({ unfinished: await verbs.unfinished(project) }),
    command: ["resume", "--list"],
    tool: "a session is told of unfinished work when it starts, and handoff repeats it",
    seen: ({ unfinished }: { unfinished: verbs.Unfinished[] }) =>
      unfinished.map(({ kind, name, doing, command }) => ({ kind, name, doing, command })),
  },
  sessions: {
    before: withGoal,
    library: async (project) => ({ sessions: await verbs.sessions(project, {}) }),
    command: ["sessions"],
    tool: "an agent needs its own session, which handoff is about",
    seen: ({ sessions }: { sessions: unknown[] }) => sessions,
  },
  runs: {
    before: withGoal,
    library: async (project) => ({ runs: await verbs.runs(project, {}) }),
    command: ["runs"],
    tool: ["runs", {}],
    seen: ({ runs }: { runs: unknown[] }) => runs,
  },
  undo: {
    before: withTwo,
    library: (project, trail) => verbs.undo(project, { notes: "too early", trail }),
    command: ["undo", "--notes", "too early"],
    tool: GOES_BACK,
    writes: true,
  },
  fork: {
    before: withTwo,
    library: (project, trail) => verbs.fork(project, { as: "trial", trail }),
    command: ["fork", "--as", "trial"],
    tool: GOES_BACK,
  },
  verify: {
    before: withTwo,
    library: (project) => verbs.verify(project, {}),
    command: ["verify"],
    tool: FEW_TOOLS,
    seen: ({ objects, checkpoints, trails, damage }: Verified) => ({ objects, checkpoints, trails, damage }),
  },
  prune: {
    before: withTwo,
    library: (project) => verbs.prune(project, { keep: 1 }),
    command: ["prune", "--keep", "1"],
    tool: "what is gone is gone: a person decides that, or an agent that types the command on purpose",
    seen: ({ removed, kept }: Pruned) => [removed.length, kept.length],
  },
  importFile: {
    before: async ({ root }) =>
      writeFileSync(
        join(root, "work.json"),
        JSON.stringify({
          checkpoint_id: "ckpt-20260101-000000-00000000",
          created_at: "2026-01-01T00:00:00Z",
          goal: "Ship it",
        }),
      ),
    library: (project, trail) =>
      verbs.importFile(project, {
        source: "work.json",
        read: () => createReadStream(join(project.root, "work.json")) as AsyncIterable<Uint8Array>,
        trust: false,
        trail,
      }),
    command: ["import", "work.json"],
    tool: FEW_TOOLS,
    writes: true,
  },
  tag: {
    before: withTwo,
    library: (project, trail) => verbs.tag(project, { name: "v1", id: "@~1", trail }),
    command: ["tag", "v1", "@~1"],
    tool: GOES_BACK,
  },
  untag: {
    before: withTag,
    library: (project) => verbs.untag(project, { name: "v1" }),
    command: ["tag", "v1", "--delete"],
    tool: GOES_BACK,
  },
  tags: {
    before: withTag,
    library: async (project) => ({ tags: await verbs.tags(project) }),
    command: ["tag"],
    tool: GOES_BACK,
    seen: ({ tags }: { tags: { name: string }[] }) => tags.map(({ name }) => name),
  },
  trails: {
    before: withTwo,
    library: async (project) => ({ trails: await verbs.trails(project, {}) }),
    command: ["trails"],
    tool: GOES_BACK,
    seen: ({ trails }: { trails: { name: string; checkpoints: number }[] }) =>
      trails.map(({ name, checkpoints }) => [name, checkpoints]),
  },
  trailRename: {
    before: withTwo,
    library: (project) => verbs.trailRename(project, { from: "main", to: "login" }),
    command: ["trails", "rename", "main", "login"],
    tool: GOES_BACK,
  },
  trailDelete: {
    before: withTwo,
    library: (project) => verbs.trailDelete(project, { name: "main" }),
    command: ["trails", "delete", "main", "--yes"],
    tool: GOES_BACK,
  },
};

/** Verbs that this table leaves out, each with the test that runs it through its doors. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  restore:
    "tests/cli/history.test.ts: it needs the id of an earlier checkpoint, and shares all but that with undo",
  artifactsAdd: "tests/seeds/002-workflow-checkpointing.test.ts: it needs a run that has started",
  runLogs: "tests/cli/run-logs.test.ts: it needs a run that has printed something",
  answer:
    "tests/mcp/approve.test.ts and tests/cli/workflow-run.test.ts: only a person can answer through the tool",
  resumePlan: "tests/cli/workflow-look.test.ts and tests/mcp/tools.test.ts: it needs a run",
  sessionEvent: "tests/mcp/capture.test.ts and tests/sessions: its doors are hooks",
};
