import { expect, it } from "vitest";
import { sessionEvent } from "../../src/doors/library/project.ts";
import { useProjects } from "../feed/support/project.ts";

const makeProject = useProjects();

it("is what a session's briefing ends with", async () => {
  const project = makeProject();
  const send = async (name: string, session_id: string, more: object = {}) => {
    const payload = { hook_event_name: name, session_id, cwd: project.root, ...more };
    const sender = {
      env: project.env,
      cwd: project.root,
      eventId: `${name} ${session_id}`,
      parentPid: process.pid,
    };
    return sessionEvent(project, payload, { ...sender, client: "claude" });
  };
  await send("SessionStart", "s1", { source: "startup" });
  await send("UserPromptSubmit", "s1", { prompt: "Fix the login page" });
  const { stdout } = await send("SessionStart", "s2", { source: "startup" });
  expect(stdout).toContain("Fix the login page");
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  expect(hookSpecificOutput.additionalContext.split("\n").at(-1)).toBe(
    "What is not here was saved too: find it with the tool `search`, or `checkpoint search WORDS`, before you ask or guess.",
  );
});
