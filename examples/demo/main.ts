// npm start: eight agents at work, killed in the middle, in a temporary folder. Everything that is printed happens in this run.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { showCodingAgent } from "./coding-agent.ts";
import { commandIn } from "./command.ts";
import { bad, bold, chapter, dim, fact, good, tell } from "./narrate.ts";
import { showStore } from "./store.ts";

const isShown = process.argv.includes("--ui");
const isKept = process.argv.includes("--keep");
const folder = mkdtempSync(join(tmpdir(), "cairn-demo-"));
const project = join(folder, "project");
mkdirSync(project);
process.on("exit", () => {
  if (!isKept) rmSync(folder, { recursive: true, force: true });
});
process.on("SIGINT", () => process.exit(130));

const checkpoint = commandIn(project);
console.log(`${bold("Cairn")}: agent work that survives. The project is ${project}`);

expect(await showCodingAgent(project, checkpoint), "the next agent was to continue with everything in place");

chapter("Eight agents start, and their runner is killed in the middle");
const request = ["--input", "request=Let people sign in with a passkey"];
const run = ["run", "--template", "eight-agents", "--run-id", "passkeys", ...request];
const killed = await checkpoint(run, { killAt: "[>] test-master" });
expect(killed.signal === "SIGKILL", "the run was to be killed");
tell(`  ${bad("kill -9")} ${dim("as test-master began")}`);

chapter("What is left");
await checkpoint(["runs"]);

chapter("Resume, exactly there");
const resumed = await checkpoint(["resume", "passkeys"]);
expect(resumed.status === 4, "the run was to wait for a decision");

chapter("A person decides, from any terminal");
await checkpoint(["approve", "passkeys", "--by", "you"]);
const completed = await checkpoint(["resume", "passkeys"]);
expect(completed.status === 0, "the run was to complete");

chapter("Nothing was lost, nothing was done twice");
await prove();

chapter("The next agent is briefed");
await checkpoint(["summary", "--trail", "run/passkeys", "--level", "minimal"]);

chapter("Below it is a store that keeps what it has said");
if (!(await showStore(join(folder, "store")))) process.exitCode = 1;
if (isShown) await showPage();
farewell();

interface Shown {
  readonly steps: readonly { readonly kind: string; readonly attempt: number; readonly status: string }[];
}

/** Asks the run itself, and checks every file that it made. */
async function prove(): Promise<void> {
  const { stdout } = await checkpoint(["runs", "show", "passkeys", "--json"], { isQuiet: true });
  const { steps } = JSON.parse(stdout) as Shown;
  const agents = steps.filter(({ kind }) => kind === "command");
  const done = agents.filter(({ status }) => status === "completed").length;
  const starts = agents.reduce((sum, { attempt }) => sum + attempt, 0);
  const { status } = await checkpoint(["artifacts", "passkeys", "--verify"], { isQuiet: true });
  fact("agents that finished", done === 8 ? good("8 of 8") : bad(`${done} of 8`));
  fact("times an agent was started", starts === done ? good(String(starts)) : String(starts));
  fact("files, checked against their hashes", status === 0 ? good("all intact") : bad("not all intact"));
  expect(done === 8 && status === 0, "all agents were to finish");
}

/** Stays until Ctrl-C. */
async function showPage(): Promise<void> {
  chapter("The same, in a browser");
  await checkpoint(["ui"]);
}

function expect(isSo: boolean, what: string): void {
  if (isSo) return;
  console.log(bad(`\nThis did not go as planned: ${what}.`));
  process.exit(1);
}

function farewell(): void {
  console.log(`\n${bold("Next")}`);
  const commands: readonly (readonly [command: string, why: string])[] = [
    isKept
      ? [`cd ${project}`, "everything is still there: checkpoint runs show passkeys"]
      : ["npm start -- --keep", "the same, but everything stays, to look around in it"],
    ["npm start -- --ui", "the same, and then everything in a browser"],
    ["checkpoint run --template phase-gated", "five phases with approvals between them"],
    ["checkpoint templates eight-agents --to flows", "copy it, and put your own agents in"],
    ["checkpoint help", "every command"],
    ["npm test", "every check and test, many with kill -9"],
    ["npm run bench", "how small and how fast"],
  ];
  const width = Math.max(...commands.map(([command]) => command.length));
  for (const [command, why] of commands) tell(`${command.padEnd(width)}  ${dim(`# ${why}`)}`);
  tell("docs/workflows.md tells what a workflow can say, and what happens after a crash.");
  console.log(dim(`\nThe project was ${project}${isKept ? ", and still is." : "; it is removed now."}`));
}
