import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeAuthorityKey, openAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import { emptyActivity } from "../../src/work/state/activity.ts";
import { acceptIntegrations } from "../../src/work/project/settings/integrations.ts";
import type { Project } from "../../src/work/project/project.ts";
import * as verbs from "../../src/doors/library/project.ts";

/** How one verb is called through each door that has it. Why another lacks it, its entry says. */
export interface VerbCase {
  /** What must have happened before. */
  readonly before?: (project: Project) => Promise<unknown>;
  readonly library: (project: Project, trail?: string) => Promise<unknown>;
  readonly command?: readonly string[];
  readonly tool?: readonly [name: string, input: Record<string, unknown>];
  readonly page?: readonly [name: string, input: Record<string, unknown>];
  /** For verbs that only look: the part of each door's answer that must be the same. */
  readonly seen?: (answer: never) => unknown;
  /** Whether only a person does it. */
  readonly isPersonal?: boolean;
}

interface LedgerLine {
  readonly number: number;
  readonly entry: Readonly<Record<string, unknown>>;
}

type Verified = Awaited<ReturnType<typeof verbs.verify>>;
type Pruned = Awaited<ReturnType<typeof verbs.prune>>;

type PlanOfRun = Awaited<ReturnType<typeof verbs.resumePlan>>;

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

/** A session whose check failed. */
const withFailed = (command: string) => async (project: Project) => {
  const cairn = await project.stores.open(project, "create");
  const at = "2026-11-15T10:00:00.000Z";
  const check = { command, check: "go test ./...", ok: false, hidden: true as const, at };
  await cairn.trail("session/s").commit((state) => {
    state.activity = { ...emptyActivity(), results: [{ ...check, lines: ["--- FAIL: TestLogin (0.00s)"] }] };
  });
};
const withIntegrations = async (project: Project) => {
  writeFileSync(join(project.root, "cairn.yaml"), "integrations: { webhooks: [] }\n");
  acceptIntegrations(project, project.root, { webhooks: [] });
};
const withBug = withFailed("go test ./...");
const withHiddenFailure = withFailed("go test ./... | tail -5");

const withTag = async (project: Project) => {
  await withTwo(project);
  await verbs.tag(project, { name: "v1" });
};

const SHIPPING = defineWorkflow({
  name: "shipping",
  steps: [
    { id: "plan", run: "printf one > plan.txt; echo planned", outputs: ["plan.txt"] },
    { id: "ship", approve: "Ship it?" },
  ],
});

/** A run that waits for an answer. */
const withRun = async (project: Project) => {
  await startRun(await openRuns(project, "create"), SHIPPING, { runId: "r" });
};

const withRemote = async (project: Project) => {
  await withTwo(project);
  await verbs.remoteAdd(project, { name: "origin", url: shareOf(project), encrypt: true });
};
const withPushed = async (project: Project) => {
  await withRemote(project);
  await verbs.push(project, {});
};
const shareOf = ({ root }: Project) => `file://${join(root, "share")}`;

const withLedger = async (project: Project) => {
  writeFileSync(join(project.root, "cairn.yaml"), "governance: on\n");
  await verbs.now(project, { notes: "before" });
  await verbs.goal(project, { goal: "Ship it" }).catch(() => undefined);
};

const PASSPHRASE = "correct horse battery";
/** The authority's key, quick to open: only tests may be this weak. */
const makeKey = async ({ env }: Project) =>
  makeAuthorityKey({ env, userId: process.geteuid?.() }, PASSPHRASE, { N: 1024, r: 8, p: 1 });
const openKey =
  ({ env }: Project) =>
  async (key: string | undefined) =>
    openAuthorityKey({ env, userId: process.geteuid?.() }, PASSPHRASE, String(key));
const withPass = async (project: Project) => {
  await withLedger(project);
  writeFileSync(join(project.root, "pass"), `${PASSPHRASE}\n${PASSPHRASE}\n`);
};
const withAgent = async (project: Project) => {
  await withPass(project);
  await verbs.authorityInit(project, () => makeKey(project));
  await verbs.agentRegister(project, "bot");
};
const withRevoked = async (project: Project) => {
  await withAgent(project);
  await verbs.agentRevoke(project, { agent: "bot", reason: "noise" });
};
const withRaised = async (project: Project) => {
  await withAgent(project);
  await verbs.agentPromote(project, { agent: "bot", to: 2 }, openKey(project));
};
const SIGNED = ["--passphrase-file", "pass"];
const standing = ({ agent, tier, is_revoked }: verbs.AgentReport) => ({ agent, tier, is_revoked });

const FILES = { "new.txt": "one\ntwo\n" };
const writeFiles = (project: Project, files: Readonly<Record<string, string>> = FILES) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.root, name), text);
};
const withFiles = async (project: Project) => {
  writeFiles(project);
  await verbs.now(project, { files: true });
  writeFiles(project, { "new.txt": "one\nthree\n" });
};
const found = ({ hits }: verbs.SearchResult) => hits.map(({ kind, text, who }) => ({ kind, text, who }));

/** Every verb. A verb that is missing here fails the test that counts them. */
export const VERBS: Readonly<Record<string, VerbCase>> = {
  search: {
    before: withTwo,
    library: (project) => verbs.search(project, { words: ["sqlite"] }),
    command: ["search", "sqlite"],
    tool: ["search", { words: ["sqlite"] }],
    page: ["search", { words: ["sqlite"] }],
    seen: found,
  },
  now: {
    before: withGoal,
    library: (project, trail) => verbs.now(project, { notes: "before", variables: { region: "eu" }, trail }),
    command: ["now", "--notes", "before", "--var", "region", "eu"],
    tool: ["now", { notes: "before", variables: { region: "eu" } }],
  },
  goal: {
    library: (project, trail) => verbs.goal(project, { goal: "Ship it", done_when: ["Tests pass"], trail }),
    command: ["goal", "Ship it", "--done-when", "Tests pass"],
    tool: ["goal", { goal: "Ship it", done_when: ["Tests pass"] }],
  },
  next: {
    library: (project, trail) => verbs.next(project, { next_action: "Write the test", trail }),
    command: ["next", "Write the test"],
    tool: ["next", { next_action: "Write the test" }],
  },
  constraint: {
    library: (project, trail) => verbs.constraint(project, { text: "Never touch production", trail }),
    command: ["constraint", "Never touch production"],
  },
  decide: {
    library: (project, trail) => verbs.decide(project, { what: "Use SQLite", why: "It is there", trail }),
    command: ["decide", "Use SQLite", "--why", "It is there"],
    tool: ["decide", { what: "Use SQLite", why: "It is there" }],
  },
  block: {
    library: (project, trail) => verbs.block(project, { text: "No access", trail }),
    command: ["block", "No access"],
  },
  unblock: {
    before: (project) => verbs.block(project, { text: "No access" }),
    library: (project, trail) => verbs.unblock(project, { which: "1", trail }),
    command: ["unblock", "1"],
  },
  phaseStart: {
    library: (project, trail) => verbs.phaseStart(project, { name: "Build", number: 2, trail }),
    command: ["phase", "start", "Build", "--number", "2"],
  },
  phaseComplete: {
    before: (project) => verbs.phaseStart(project, { name: "Build", number: 2 }),
    library: (project, trail) => verbs.phaseComplete(project, { output: "build-7", trail }),
    command: ["phase", "complete", "--output", "build-7"],
  },
  phaseFail: {
    before: (project) => verbs.phaseStart(project, { name: "Build" }),
    library: (project, trail) => verbs.phaseFail(project, { why: "No compiler", trail }),
    command: ["phase", "fail", "--why", "No compiler"],
  },
  outputAdd: {
    library: (project, trail) =>
      verbs.outputAdd(project, { type: "evidence", id: "evd-7", action: "terraform", trail }),
    command: ["output", "add", "evidence", "evd-7", "--action", "terraform"],
  },
  setVariable: {
    library: (project, trail) => verbs.setVariable(project, { key: "region", value: "eu", trail }),
    command: ["set", "region", "eu"],
  },
  unsetVariable: {
    before: (project) => verbs.setVariable(project, { key: "region", value: "eu" }),
    library: (project, trail) => verbs.unsetVariable(project, { key: "region", trail }),
    command: ["unset", "region"],
  },
  constraintList: {
    before: withRule,
    library: async (project, trail) => ({ constraints: await verbs.constraintList(project, { trail }) }),
    command: ["constraint", "list"],
    seen: ({ constraints }: { constraints: unknown }) => constraints,
  },
  constraintEdit: {
    before: withRule,
    library: (project, trail) =>
      verbs.constraintEdit(project, { which: "production", text: "Ask first", trail }),
    command: ["constraint", "edit", "production", "Ask first"],
  },
  constraintRemove: {
    before: withRule,
    library: (project, trail) => verbs.constraintRemove(project, { which: "1", trail }),
    command: ["constraint", "remove", "1"],
  },
  promote: {
    before: (project) => verbs.decide(project, { what: "Use SQLite", trail: "session/a" }),
    library: (project) => verbs.promote(project, { what: "decision", which: "sqlite", trail: "session/a" }),
    command: ["promote", "decision", "sqlite", "--trail", "session/a"],
    page: ["promote", { what: "decision", which: "sqlite", trail: "session/a" }],
    seen: ({ from }: { from: unknown }) => from,
  },
  decisionList: {
    before: withTwo,
    library: async (project, trail) => ({ decisions: await verbs.decisionList(project, { trail }) }),
    command: ["decision", "list"],
    seen: ({ decisions }: { decisions: unknown }) => decisions,
  },
  decisionEdit: {
    before: withTwo,
    library: (project, trail) => verbs.decisionEdit(project, { which: "1", why: "It is there", trail }),
    command: ["decision", "edit", "1", "--why", "It is there"],
  },
  decisionRemove: {
    before: withTwo,
    library: (project, trail) => verbs.decisionRemove(project, { which: "sqlite", trail }),
    command: ["decision", "remove", "sqlite"],
  },
  taskRename: {
    before: withTasks,
    library: (project, trail) => verbs.taskRename(project, { id: "2", subject: "Make it fast", trail }),
    command: ["task", "rename", "2", "Make it fast"],
  },
  taskAdd: {
    before: withTasks,
    library: (project, trail) =>
      verbs.taskAdd(project, { subject: "Deploy", owner: "ops", blocked_by: ["2"], trail }),
    command: ["task", "add", "Deploy", "--owner", "ops", "--blocked-by", "2"],
    tool: ["task_add", { subject: "Deploy", owner: "ops", blocked_by: ["2"] }],
  },
  taskStatus: {
    before: withTasks,
    library: (project, trail) =>
      verbs.taskStatus(project, { id: "1", status: "completed", evidence: "npm test", trail }),
    command: ["task", "done", "1", "--evidence", "npm test"],
    tool: ["task_status", { id: "1", status: "completed", evidence: "npm test" }],
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
    page: ["load", {}],
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
    seen: ({ checkpoints }: verbs.LogResult) => checkpoints.map(({ is_head, changes }) => [is_head, changes]),
  },
  bugs: {
    before: withTwo,
    library: (project) => verbs.bugs(project, {}),
    command: ["bugs"],
  },
  bugsShow: {
    before: withBug,
    library: (project) => verbs.bugsShow(project, { number: "1" }),
    command: ["bugs", "show", "1"],
  },
  bugsResolve: {
    before: withBug,
    library: (project) => verbs.bugsResolve(project, { number: "1", why: "Fixed" }),
    command: ["bugs", "resolve", "1", "--why", "Fixed"],
  },
  suggest: {
    before: withHiddenFailure,
    library: (project) => verbs.suggest(project),
    command: ["suggest"],
  },
  suggestDismiss: {
    before: withHiddenFailure,
    library: (project) => verbs.suggestDismiss(project, { id: "hidden-failure", why: "Known" }),
    command: ["suggest", "dismiss", "hidden-failure", "--why", "Known"],
  },
  explain: {
    before: withTwo,
    library: (project) => verbs.explain(project, { what: "use sqlite" }),
    command: ["explain", "use sqlite"],
  },
  diff: {
    before: withTwo,
    library: async (project, trail) => {
      const { changes, ...pair } = await verbs.diff(project, { trail });
      return { ...pair, ...changes };
    },
    command: ["diff"],
    tool: ["diff", {}],
    page: ["diff", {}],
    seen: ({ changed, other }: { changed: boolean; other: unknown }) => ({ changed, other }),
  },
  status: {
    before: withTwo,
    library: async (project, trail) => (await verbs.status(project, { trail })).status,
    command: ["status"],
    seen: ({ goal, go_on }: verbs.StatusResult) => ({ goal, go_on }),
  },
  summary: {
    before: withTwo,
    library: (project, trail) => verbs.summary(project, { level: "compact", trail }),
    command: ["summary", "--level", "compact"],
    tool: ["handoff", { level: "compact" }],
    page: ["summary", { level: "compact" }],
    seen: ({ text, budget }: verbs.SummaryResult) => ({ text, budget }),
  },
  unfinished: {
    before: withTasks,
    library: async (project) => ({ unfinished: await verbs.unfinished(project) }),
    command: ["resume", "--list"],
    seen: ({ unfinished }: { unfinished: verbs.Unfinished[] }) =>
      unfinished.map(({ kind, name, doing, command }) => ({ kind, name, doing, command })),
  },
  sessions: {
    before: withGoal,
    library: async (project) => ({ sessions: await verbs.sessions(project, {}) }),
    command: ["sessions"],
    page: ["sessions", {}],
    seen: ({ sessions }: { sessions: unknown[] }) => sessions,
  },
  runs: {
    before: withGoal,
    library: async (project) => ({ runs: await verbs.runs(project, {}) }),
    command: ["runs"],
    tool: ["runs", {}],
    page: ["runs", {}],
    seen: ({ runs }: { runs: unknown[] }) => runs,
  },
  resumePlan: {
    before: withRun,
    library: (project) => verbs.resumePlan(project, { run: "r" }),
    command: ["resume", "r", "--dry-run"],
    tool: ["resume_plan", { run: "r" }],
    // The command wraps it, since it may also have gone on.
    seen: (answer: { plan?: PlanOfRun } & PlanOfRun) => {
      const { run_id, completed, remaining, resume_check } = answer.plan ?? answer;
      return [run_id, completed, remaining, resume_check.verdict];
    },
  },
  answer: {
    before: withRun,
    isPersonal: true,
    library: (project) => verbs.answer(project, { run: "r", approved: true, reason: "looks good" }),
    command: ["approve", "r", "--reason", "looks good"],
    page: ["answer", { run: "r", approved: true, reason: "looks good" }],
    seen: ({ run_id, step, decision }: verbs.AnswerResult) => [run_id, step, decision.approved, decision.by],
  },
  runLogs: {
    before: withRun,
    library: (project) => verbs.runLogs(project, { run: "r" }),
    command: ["runs", "logs", "r"],
    page: ["runLogs", { run: "r" }],
    seen: ({ logs }: verbs.RunLogsResult) => logs.map(({ step, attempt, status }) => [step, attempt, status]),
  },
  artifacts: {
    before: withRun,
    library: (project) => verbs.artifacts(project, { run: "r", verify: true }),
    command: ["artifacts", "r", "--verify"],
    seen: ({ artifacts }: Awaited<ReturnType<typeof verbs.artifacts>>) =>
      artifacts.map(({ path, state }) => [path, state]),
  },
  artifactsAdd: {
    before: async (project) => {
      await withRun(project);
      writeFileSync(join(project.root, "extra.txt"), "two");
    },
    library: (project) => verbs.artifactsAdd(project, { run: "r", files: ["extra.txt"], step: "plan" }),
    command: ["artifacts", "add", "r", "extra.txt", "--step", "plan"],
  },
  runSignal: {
    before: async (project) => {
      const steps = [{ id: "paid", wait: "payment" }];
      const workflow = defineWorkflow({ name: "order", steps });
      const signal = AbortSignal.abort();
      await startRun(await openRuns(project, "create"), workflow, { runId: "r", signal });
    },
    library: (project) => verbs.runSignal(project, { run: "r", name: "payment", data: "12", id: "e1" }),
    command: ["signal", "r", "payment", "--data", "12", "--id", "e1"],
  },
  schedule: {
    before: async (project) => {
      writeFileSync(join(project.root, "w.yaml"), "name: w\nsteps: [{ id: a, run: 'true' }]\n");
      await verbs.scheduleAdd(project, { cron: "0 7 * * *", file: "w.yaml", timezone: "UTC" });
    },
    library: (project) => verbs.schedule(project),
    command: ["schedule"],
    // When it was added, and so when it is due next, differs from one door to the next.
    seen: ({ schedules }: Awaited<ReturnType<typeof verbs.schedule>>) =>
      schedules.map(({ name, cron, timezone, file, missed, by }) => [name, cron, timezone, file, missed, by]),
  },
  scheduleAdd: {
    before: async (project) =>
      writeFileSync(join(project.root, "w.yaml"), "name: w\nsteps: [{ id: a, run: 'true' }]\n"),
    library: (project) => verbs.scheduleAdd(project, { cron: "0 7 * * *", file: "w.yaml", timezone: "UTC" }),
    command: ["schedule", "add", "0 7 * * *", "w.yaml", "--timezone", "UTC"],
  },
  scheduleRemove: {
    before: async (project) => {
      writeFileSync(join(project.root, "w.yaml"), "name: w\nsteps: [{ id: a, run: 'true' }]\n");
      await verbs.scheduleAdd(project, { cron: "0 7 * * *", file: "w.yaml", timezone: "UTC" });
    },
    library: (project) => verbs.scheduleRemove(project, { name: "w" }),
    command: ["schedule", "remove", "w"],
  },
  metrics: {
    before: withTwo,
    library: (project) => verbs.metrics(project),
    command: ["metrics"],
    seen: ({ metrics }: { metrics: readonly verbs.Metric[] }) => metrics.map(({ name }) => name),
  },
  integrationsTest: {
    before: withIntegrations,
    library: (project) => verbs.integrationsTest(project),
    command: ["integrations", "test"],
  },
  integrationsDead: {
    before: withTwo,
    library: (project) => verbs.integrationsDead(project),
    command: ["integrations", "dead"],
  },
  integrationsResend: {
    before: withTwo,
    library: (project) => verbs.integrationsResend(project),
    command: ["integrations", "resend"],
  },
  runPause: {
    before: withRun,
    library: (project) => verbs.runPause(project, { run: "r", reason: "not now" }),
    command: ["pause", "r", "--reason", "not now"],
  },
  runCancel: {
    before: withRun,
    library: (project) => verbs.runCancel(project, { run: "r", reason: "not needed" }),
    command: ["cancel", "r", "--reason", "not needed"],
    page: ["runCancel", { run: "r", reason: "not needed" }],
  },
  runArchive: {
    before: withRun,
    library: (project) => verbs.runArchive(project, { run: "r" }),
    command: ["archive", "r"],
  },
  runsClean: {
    before: withRun,
    library: (project) => verbs.runsClean(project, { status: "awaiting_approval", maxAgeDays: 0 }),
    command: ["clean", "--status", "awaiting_approval", "--max-age-days", "0", "--yes"],
    seen: ({ removed, kept }: Awaited<ReturnType<typeof verbs.runsClean>>) => [removed.length, kept.length],
  },
  progressNote: {
    library: (project) => verbs.progressNote(project, { feature: "login", text: "Wrote the first test" }),
    command: ["progress", "note", "Wrote the first test", "--feature", "login"],
  },
  progressScan: {
    before: (project) => verbs.progressNote(project, { feature: "login", text: "Wrote the first test" }),
    library: async (project) => {
      const { found, problems } = await verbs.progressScan(project);
      return { files: found, problems };
    },
    command: ["progress", "scan"],
    seen: ({ files, problems }: { files: { file: string }[]; problems: unknown }) => [
      files.map(({ file }) => file),
      problems,
    ],
  },
  timeline: {
    before: withTwo,
    library: (project, trail) => verbs.timeline(project, { from: 1, trail }),
    page: ["timeline", { from: 1 }],
    seen: ({ total, checkpoints }: verbs.TimelineResult) => [
      total,
      checkpoints.map(({ changes }) => changes),
    ],
  },
  questions: {
    before: withRun,
    library: (project) => verbs.questions(project, { run: "r" }),
    page: ["questions", { run: "r" }],
    seen: ({ questions }: Awaited<ReturnType<typeof verbs.questions>>) =>
      questions.map(({ step, question, files }) => [
        step,
        question,
        files.map(({ path, text }) => [path, text]),
      ]),
  },
  usage: {
    before: withTwo,
    library: (project) => verbs.usage(project),
    page: ["usage", {}],
    seen: ({ trails }: verbs.UsageResult) => trails.map(({ name, checkpoints }) => [name, checkpoints]),
  },
  files: {
    before: withFiles,
    library: (project) => verbs.files(project),
    command: ["files"],
    seen: ({ changes }: Awaited<ReturnType<typeof verbs.files>>) => changes,
  },
  filesDiff: {
    before: withFiles,
    library: (project) => verbs.filesDiff(project, { a: "@" }),
    command: ["files", "diff", "@"],
    tool: ["files_diff", { a: "@" }],
    seen: ({ files }: Awaited<ReturnType<typeof verbs.filesDiff>>) =>
      files.map(({ path, what, added, removed }) => [path, what, added, removed]),
  },
  filesShow: {
    before: withFiles,
    library: (project) => verbs.filesShow(project, { id: "@", path: "new.txt" }),
    command: ["files", "show", "@", "new.txt"],
    seen: ({ path, mode, size, base64 }: Awaited<ReturnType<typeof verbs.filesShow>>) => [
      path,
      mode,
      size,
      base64,
    ],
  },
  filesLog: {
    before: withFiles,
    library: (project) => verbs.filesLog(project, {}),
    command: ["files", "log"],
    seen: ({ moments }: Awaited<ReturnType<typeof verbs.filesLog>>) =>
      moments.map(({ why, turn, files }) => [why, turn, files]),
  },
  rewind: {
    before: withFiles,
    library: (project) => verbs.rewind(project, { id: "@" }),
    command: ["rewind", "@", "--yes"],
    seen: ({ restored }: verbs.RewindResult) => restored,
  },
  restore: {
    before: withTwo,
    library: (project, trail) => verbs.restore(project, { id: "@~1", notes: "too early", trail }),
    command: ["restore", "@~1", "--notes", "too early"],
    page: ["restore", { id: "@~1", notes: "too early" }],
  },
  undo: {
    before: withTwo,
    library: (project, trail) => verbs.undo(project, { notes: "too early", trail }),
    command: ["undo", "--notes", "too early"],
  },
  fork: {
    before: withTwo,
    library: (project, trail) => verbs.fork(project, { as: "trial", trail }),
    command: ["fork", "--as", "trial"],
    page: ["fork", { as: "trial" }],
  },
  verify: {
    before: withTwo,
    library: (project) => verbs.verify(project, {}),
    command: ["verify"],
    page: ["verify", {}],
    seen: ({ objects, checkpoints, trails, damage }: Verified) => ({ objects, checkpoints, trails, damage }),
  },
  prune: {
    before: withTwo,
    library: (project) => verbs.prune(project, { keep: 1 }),
    command: ["prune", "--keep", "1"],
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
  },
  tag: {
    before: withTwo,
    library: (project, trail) => verbs.tag(project, { name: "v1", id: "@~1", trail }),
    command: ["tag", "v1", "@~1"],
    page: ["tag", { name: "v1", id: "@~1" }],
  },
  untag: {
    before: withTag,
    library: (project) => verbs.untag(project, { name: "v1" }),
    command: ["tag", "v1", "--delete"],
  },
  tags: {
    before: withTag,
    library: async (project) => ({ tags: await verbs.tags(project) }),
    command: ["tag"],
    page: ["tags", {}],
    seen: (answer: { tags: { name: string }[] } | { name: string }[]) =>
      (Array.isArray(answer) ? answer : answer.tags).map(({ name }) => name),
  },
  trails: {
    before: withTwo,
    library: async (project) => ({ trails: await verbs.trails(project, {}) }),
    command: ["trails"],
    page: ["trails", {}],
    seen: ({ trails }: { trails: { name: string; checkpoints: number }[] }) =>
      trails.map(({ name, checkpoints }) => [name, checkpoints]),
  },
  trailRename: {
    before: withTwo,
    library: (project) => verbs.trailRename(project, { from: "main", to: "login" }),
    command: ["trails", "rename", "main", "login"],
  },
  trailDelete: {
    before: withTwo,
    library: (project) => verbs.trailDelete(project, { name: "main" }),
    command: ["trails", "delete", "main", "--yes"],
  },
  remotes: {
    before: withRemote,
    library: async (project) => ({ remotes: await verbs.remotes(project) }),
    command: ["remote", "list"],
    seen: ({ remotes }: { remotes: { name: string }[] }) => remotes.map(({ name }) => name),
  },
  remoteRemove: {
    before: withRemote,
    library: (project) => verbs.remoteRemove(project, { name: "origin" }),
    command: ["remote", "remove", "origin"],
    seen: ({ remote }: { remote: { name: string } }) => remote.name,
  },
  remoteShow: {
    before: async (project) => {
      await withRemote(project);
      await verbs.push(project, {});
    },
    library: (project) => verbs.remoteShow(project, { trail: "main" }),
    command: ["remote", "show", "main"],
    seen: ({ source, is_confirmed }: verbs.ShownLatest) => [source, is_confirmed],
  },
  push: {
    before: withRemote,
    library: (project) => verbs.push(project, {}),
    command: ["push"],
    seen: ({ trails }: Awaited<ReturnType<typeof verbs.push>>) =>
      trails.map(({ trail, outcome, checkpoints }) => [trail, outcome, checkpoints]),
  },
  pull: {
    before: withPushed,
    library: (project) => verbs.pull(project, {}),
    command: ["pull"],
    seen: ({ trails }: Awaited<ReturnType<typeof verbs.pull>>) =>
      trails.map(({ trail, outcome }) => [trail, outcome]),
  },
  sync: {
    before: withRemote,
    library: (project) => verbs.sync(project, {}),
    command: ["sync"],
    seen: ({ pushed, pulled }: Awaited<ReturnType<typeof verbs.sync>>) => [pushed.length, pulled.length],
  },
  keyExport: {
    before: withRemote,
    library: (project) => verbs.keyExport(project, {}),
    command: ["key", "export"],
    seen: ({ key }: { key: string }) => key.slice(0, 12),
  },
  governanceReport: {
    before: withLedger,
    library: (project) => verbs.governanceReport(project, { verify: true }),
    page: ["governanceReport", { verify: true }],
    seen: ({ is_governed, agents, violations, requests, verified, problem }: verbs.GovernanceReport) => ({
      is_governed,
      agents,
      violations,
      requests: requests.length,
      entries: verified?.entries,
      problem,
    }),
  },
  gate: {
    before: withLedger,
    library: (project) => verbs.gate(project, { action: "exec.npm" }),
    command: ["gate", "exec.npm"],
    seen: ({ decision, reasons, tier }: Awaited<ReturnType<typeof verbs.gate>>) => [decision, reasons, tier],
  },
  health: {
    before: withLedger,
    library: (project) => verbs.health(project),
    command: ["health"],
    seen: ({ dependencies }: Awaited<ReturnType<typeof verbs.health>>) => dependencies,
  },
  agentRegister: {
    before: withLedger,
    library: (project) => verbs.agentRegister(project, "bot"),
    command: ["agent", "register", "bot"],
    seen: ({ agent, token }: { agent: string; token: string }) => [agent, token.slice(0, 12)],
  },
  agentList: {
    before: withAgent,
    library: async (project) => ({ agents: await verbs.agentList(project) }),
    command: ["agent", "list"],
    seen: ({ agents }: { agents: verbs.AgentReport[] }) => agents.map(standing),
  },
  agentShow: {
    before: withAgent,
    library: (project) => verbs.agentShow(project, "bot"),
    command: ["agent", "show", "bot"],
    seen: standing,
  },
  agentPromote: {
    before: withAgent,
    library: (project) => verbs.agentPromote(project, { agent: "bot", to: 2 }, openKey(project)),
    command: ["agent", "promote", "bot", "--to", "2", ...SIGNED],
    seen: ({ agent }: verbs.RaisedAgent) => standing(agent),
  },
  agentRestore: {
    before: withRevoked,
    library: (project) => verbs.agentRestore(project, { agent: "bot", to: 1 }, openKey(project)),
    command: ["agent", "restore", "bot", "--to", "1", ...SIGNED],
    seen: ({ agent }: verbs.RaisedAgent) => standing(agent),
  },
  agentDemote: {
    before: withRaised,
    library: (project) => verbs.agentDemote(project, { agent: "bot", to: 1, reason: "noise" }),
    command: ["agent", "demote", "bot", "--to", "1", "--reason", "noise"],
    seen: standing,
  },
  agentRevoke: {
    before: withRaised,
    library: (project) => verbs.agentRevoke(project, { agent: "bot", reason: "noise" }),
    command: ["agent", "revoke", "bot", "--reason", "noise"],
    seen: standing,
  },
  authorityShow: {
    before: withAgent,
    library: (project) => verbs.authorityShow(project),
    command: ["authority", "show"],
    seen: ({ keys, statements }: verbs.AuthorityReport) => [keys.length, statements],
  },
  authorityInit: {
    before: withPass,
    library: (project) => verbs.authorityInit(project, () => makeKey(project)),
    command: ["authority", "init", ...SIGNED],
    seen: ({ keys, statements }: verbs.AuthorityReport) => [keys.length, statements],
  },
  authorityRotate: {
    before: withAgent,
    library: (project) => verbs.authorityRotate(project, openKey(project), () => makeKey(project)),
    command: ["authority", "rotate", ...SIGNED],
    seen: ({ keys, statements }: verbs.AuthorityReport) => [keys.length, statements],
  },
  policyShow: {
    before: withLedger,
    library: (project) => verbs.policyShow(project),
    command: ["policy", "show"],
    seen: ({ source, policy }: verbs.PolicyShown) => ({ source, policy }),
  },
  policyCheck: {
    before: withLedger,
    library: (project) => verbs.policyCheck(project, "exec.npm", 1),
    command: ["policy", "check", "exec.npm", "--tier", "1"],
    seen: ({ rule, tiers }: verbs.PolicyChecked) => ({ rule, tiers }),
  },
  policyAccept: {
    before: async (project) => {
      await withAgent(project);
      writeFileSync(join(project.root, "cairn.policy.yaml"), 'actions: [{ match: "*", tier: 0 }]\n');
    },
    library: (project) => verbs.policyAccept(project, openKey(project), async () => true),
    command: ["policy", "accept", "--yes", ...SIGNED],
    seen: ({ source, entry }: { source: string; entry: { type: string } | null }) => [source, entry?.type],
  },
  ledger: {
    before: withLedger,
    library: async (project) => ({ entries: await verbs.ledger(project, { limit: 20 }) }),
    command: ["ledger"],
    page: ["ledger", {}],
    seen: (answer: { entries?: LedgerLine[]; ledger?: LedgerLine[] }) =>
      (answer.entries ?? answer.ledger)?.map(({ number, entry }) => [number, entry["type"], entry["agent"]]),
  },
  ledgerVerify: {
    before: withLedger,
    library: (project) => verbs.ledgerVerify(project, []),
    command: ["ledger", "verify"],
    seen: ({ entries, seals, forged, limits }: verbs.LedgerVerified) => ({ entries, seals, forged, limits }),
  },
  evidenceList: {
    before: withLedger,
    library: async (project) => ({ evidence: await verbs.evidenceList(project) }),
    command: ["evidence", "list"],
    seen: ({ evidence }: { evidence: unknown[] }) => evidence,
  },
  vaultPoliciesFor: {
    before: withLedger,
    library: async (project) => ({ policies: await verbs.vaultPoliciesFor(project, false) }),
    command: ["vault", "policies"],
    seen: ({ policies }: { policies: unknown }) => policies,
  },
  backup: {
    before: withTwo,
    library: (project) => verbs.backup(project, { file: join(project.root, "all.backup") }),
    command: ["backup", "all.backup"],
    seen: ({ checkpoints, trails }: Awaited<ReturnType<typeof verbs.backup>>) => [checkpoints, trails],
  },
  mirror: {
    before: withTwo,
    library: (project) => verbs.mirror(project),
    command: ["mirror"],
    seen: ({ was_there, is_current }: Awaited<ReturnType<typeof verbs.mirror>>) => [was_there, is_current],
  },
  mirrorList: {
    before: async (project) => {
      await withTwo(project);
      await verbs.mirror(project);
    },
    library: (project) => verbs.mirrorList(project),
    command: ["mirror", "list"],
    seen: ({ mirrors }: Awaited<ReturnType<typeof verbs.mirrorList>>) =>
      mirrors.map(({ is_gone }) => is_gone),
  },
};

/** Verbs that this table leaves out, each with the test that runs it through its doors. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  eventsAck: "tests/feed: it takes the cursor of an event, which is another each time",
  exec: "tests/governance/exec.test.ts and schemas.test.ts: it takes streams, and its evidence names the place it ran in",
  agentApprove: "tests/governance/schemas.test.ts and verbs.test.ts: each request has a name of its own",
  authoritySubmit: "tests/governance/schemas.test.ts and verbs.test.ts: it takes what was signed elsewhere",
  authorityTrust:
    "tests/governance/schemas.test.ts and escalation.test.ts: it takes the fingerprint of a new key",
  evidenceShow: "tests/governance/schemas.test.ts and exec.test.ts: each package has a name of its own",
  evidenceVerify: "tests/governance/schemas.test.ts and exec.test.ts: it needs a package",
  evidenceExport: "tests/governance/schemas.test.ts and exec.test.ts: each package has a name of its own",
  ledgerAnchor: "tests/governance/schemas.test.ts and vault.test.ts: it is signed, each time anew",
  ledgerExport:
    "tests/governance/schemas.test.ts and walk-through.test.ts: it is lines of JSON, not one document",
  remoteAdd: "tests/remote/commands.test.ts: it needs a place that was not used before",
  onRemoteMoved: "tests/remote/cache.test.ts: it listens, and its command is `sync --watch`",
  clone: "tests/remote/commands.test.ts: it needs a project without a store",
  keyImport: "tests/remote/commands.test.ts: it takes a file, or stdin",
  storeSalvage: "tests/faults/salvage.test.ts: it needs a damaged store, and names a new folder each time",
  mirrorRestore: "tests/mirror/commands.test.ts: it needs a project whose store is gone",
  backupRestore: "tests/remote/commands.test.ts: it needs a project without a store",
  sessionEvent:
    "tests/mcp/capture.test.ts, tests/mcp/hand-over.test.ts and tests/sessions: its doors take an event on stdin, over a socket and from a hook of the client, not words and options",
};
