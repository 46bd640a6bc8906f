// The steps of the review. No times are recorded, so the same checks with the same outcome make the same files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { CAIRN_WORKFLOW_DIR, CAIRN_PHASE, CAIRN_REVIEWER, CAIRN_RESULT, CAIRN_RESULTS } = process.env;
const PATIENCE_MS = 600_000;
const MOST_CHARS = 2000;

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const phases = () => readJson(join(CAIRN_WORKFLOW_DIR, "phases.json"));

/** Whole or not at all: a later step may look while it is written. */
function write(name, text) {
  mkdirSync("architecture", { recursive: true });
  const path = join("architecture", name);
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
const writeJson = (name, value) => write(name, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Runs the checks of this step's phase. One that fails does not end the others: the council judges. The result tells what ran
 * and what it printed: `checkpoint bugs` lists what fails.
 */
function check() {
  const ran = [];
  const checks = (phases()[CAIRN_PHASE] ?? []).map(({ name, run, needs }) => {
    if (needs !== undefined && !existsSync(needs))
      return { name, status: "never run", reason: `there is no ${needs}` };
    const { status, signal, stdout, stderr } = spawnSync("/bin/sh", ["-c", run], {
      encoding: "utf8",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
      maxBuffer: 64 * 2 ** 20,
    });
    process.stdout.write(`${name}: ${status === 0 ? "passed" : "FAILED"}\n${stdout}${stderr}`);
    const output = `${stdout}${stderr}`.trim().slice(-MOST_CHARS);
    ran.push({ command: run, ok: status === 0, output: status === 0 ? "" : output });
    if (status === 0) return { name, status: "passed" };
    return { name, status: "failed", reason: `ended with ${signal ?? `status ${status}`}`, output };
  });
  writeJson(`${CAIRN_PHASE}.json`, checks);
  writeFileSync(CAIRN_RESULT, JSON.stringify({ checks: ran }));
}

/** Counts, for each phase, the checks that passed, failed and never ran. */
function coverage() {
  const counted = Object.entries(phases()).map(([phase, declared]) => {
    const path = `architecture/${phase}.json`;
    const checks = existsSync(path)
      ? readJson(path)
      : declared.map(({ name }) => ({ name, status: "never run", reason: "no step has this phase" }));
    const withStatus = (wanted) => checks.filter(({ status }) => status === wanted);
    return {
      phase,
      declared: declared.length,
      passed: withStatus("passed").length,
      failed: withStatus("failed"),
      never_run: withStatus("never run").map(({ name, reason }) => ({ name, reason })),
    };
  });
  writeJson("coverage.json", counted);
  write("coverage.md", `# Coverage\n\n${table(counted)}`);
  const sum = (number) => counted.reduce((all, phase) => all + number(phase), 0);
  const result = {
    declared: sum(({ declared }) => declared),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed.length),
    never_run: sum(({ never_run }) => never_run.length),
  };
  writeFileSync(CAIRN_RESULT, JSON.stringify(result));
  console.log(`${result.passed} of ${result.declared} checks passed; ${result.never_run} never ran.`);
}

function table(counted) {
  const names = (checks) => checks.map(({ name }) => code(name)).join(", ") || "–";
  const rows = counted.map(
    ({ phase, declared, passed, failed, never_run }) =>
      `| ${phase} | ${passed} / ${declared} | ${names(failed)} | ${names(never_run)} |`,
  );
  return [
    "| phase | passed / declared | failed | never run |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** What a check or a reviewer says is data, never markup. */
const code = (text) => `\`${String(text).replaceAll(/[`|\r\n]+/g, " ")}\``;

/** The stand-in's opinion. */
function judge() {
  const failed = readJson("architecture/coverage.json").flatMap((phase) => phase.failed);
  const reason = failed.map(({ name, reason }) => `${name} ${reason}`).join("; ");
  const verdict = failed.length === 0 ? { verdict: "approve" } : { verdict: "reject", reason };
  console.log(`${CAIRN_REVIEWER}: ${verdict.verdict}`);
  writeFileSync(CAIRN_RESULT, JSON.stringify(verdict));
}

/** The coverage, and what the council said about it. */
function report() {
  const { approved, dissent, abstained, quorum } = readJson(CAIRN_RESULTS).council;
  const opinions = [
    ...approved.map((reviewer) => `- ${reviewer} approves`),
    ...dissent.map(({ reviewer, reason }) => `- ${reviewer} rejects: ${code(reason)}`),
    ...abstained.map(({ reviewer, reason }) => `- ${reviewer} abstained: ${code(reason)}`),
  ];
  const council = `## Council\n\n${approved.length} approvals, ${quorum} needed.\n\n${opinions.join("\n")}\n`;
  write("review.md", `# Architecture review\n\n${table(readJson("architecture/coverage.json"))}\n${council}`);
}

({ check, coverage, judge, report })[process.argv[2]]();
