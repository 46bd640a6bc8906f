import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { environment, type Checkpoint } from "./command.ts";
import { sendEvent } from "./events.ts";
import { bad, bold, chapter, dim, good, tell } from "./narrate.ts";

/** An agent is killed, the next one is told, a rule reaches it, and what it destroys is brought back. Whether all went well. */
export async function showCodingAgent(project: string, checkpoint: Checkpoint): Promise<boolean> {
  Object.assign(process.env, environment(project));
  spawnSync("git", ["init", "--quiet"], { cwd: project });

  chapter("An agent works on your code, and is killed in the middle");
  await workAndDie(project);

  chapter("The next agent starts, and is told where the work stands");
  const session = { session_id: "agent-b", cwd: project };
  const briefing = await sendEvent(
    { ...session, hook_event_name: "SessionStart", source: "startup" },
    project,
  );
  for (const line of excerptOf(briefing)) tell(`  ${line}`);

  chapter("You set a rule, and the agent under way hears of it with its next prompt");
  await checkpoint(["rule", "Never change the public API"]);
  const prompt = "Make it retry on 502 only.";
  tell(`${bold("you")}      ${prompt}`);
  const told = await sendEvent({ ...session, hook_event_name: "UserPromptSubmit", prompt }, project);
  for (const line of told.split("\n").filter((each) => each.includes("public API")))
    tell(`${bold("told")}     ${line.trim()}`);

  chapter("It deletes your code, and you bring it back");
  const call = { ...session, tool_name: "Bash", tool_use_id: "rm", tool_input: { command: "rm -rf src" } };
  await sendEvent({ ...call, hook_event_name: "PreToolUse" }, project);
  rmSync(join(project, "src"), { recursive: true });
  tell(`${bold("agent B")}  ${bad("rm -rf src")}`);
  await sendEvent({ ...call, hook_event_name: "PostToolUse", tool_response: { stdout: "" } }, project);
  await sendEvent({ ...session, hook_event_name: "Stop" }, project);
  await checkpoint(["rewind", "--yes"]);
  const isBack = existsSync(join(project, "src/retry.ts"));
  tell(isBack ? good("src/retry.ts is there again") : bad("src/retry.ts is lost"));
  return briefing.includes("502") && told.includes("public API") && isBack;
}

/** A process of its own, as an agent's client is: what dies with it is gone. */
async function workAndDie(project: string): Promise<void> {
  const agent = spawn(process.execPath, [join(import.meta.dirname, "stand-in.ts")], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: agent.stdout }).on("line", (line) => {
    tell(`${bold("agent A")}  ${line}`);
    if (line.includes("about to")) agent.kill("SIGKILL");
  });
  await once(agent, "close");
  tell(`         ${bad("kill -9")} ${dim("and everything that it knew is gone with it")}`);
}

const WIDTH = 74;

/** The middle of a briefing: what was asked, where it stands, what fails, what is next. */
function excerptOf(briefing: string): string[] {
  const lines = briefing.split("\n");
  const first = lines.findIndex((line) => line.startsWith("## "));
  const last = lines.findIndex((line) => line.startsWith("</data"));
  const shown = lines
    .slice(first, last)
    .filter((line) => line.trim() !== "" && !/^## Checkpoint|^- trail /.test(line));
  return shown.map((line) => (line.length <= WIDTH ? line : `${line.slice(0, WIDTH - 1)}…`));
}
