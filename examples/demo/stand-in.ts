// A stand-in for a coding agent: it works on the project and tells Cairn what happens, with the events that Claude Code sends to
// its hooks. It never ends by itself: node stand-in.ts, in the project's folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { sendEvent } from "./events.ts";

// Named as the client whose events it sends: by that Cairn knows the process, and that it is gone.
process.title = "claude";
const session = { session_id: "agent-a", cwd: process.cwd() };
const say = (text: string) => process.stdout.write(`${text}\n`);

await sendEvent({ ...session, hook_event_name: "SessionStart", source: "startup" });
say("reads the request");
await sendEvent({
  ...session,
  hook_event_name: "UserPromptSubmit",
  prompt: "Logins fail when the gateway answers 502. Retry once.",
});
mkdirSync("src", { recursive: true });
writeFileSync(
  "src/retry.ts",
  "export async function retryOnce(call) {\n  try { return await call(); } catch { return call(); }\n}\n",
);
say("writes src/retry.ts, by the shell");
await sendEvent({
  ...session,
  hook_event_name: "PostToolUse",
  tool_name: "TodoWrite",
  tool_use_id: "todo-1",
  tool_input: {
    todos: [
      { content: "Retry in src/retry.ts", status: "completed", activeForm: "Retrying" },
      { content: "Retry on 502 only, not on every error", status: "in_progress", activeForm: "Narrowing" },
    ],
  },
  tool_response: {},
});
say("runs the tests, which fail");
await sendEvent({
  ...session,
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_use_id: "bash-1",
  tool_input: { command: "npm test" },
  tool_response: {
    stdout: "FAIL src/retry.test.ts > leaves a 404 alone\nexpected 1 call, got 2",
    exit_code: 1,
  },
});
say("is about to look at the status of the answer …");
await wait(600_000);
