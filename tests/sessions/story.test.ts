import { expect, it } from "vitest";
import { sessionEvent, sessions } from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { followStory, sessionStory } from "../../src/work/project/reading/session-story.ts";
import type { StoryLine } from "../../src/work/project/reading/story-line.ts";
import { openAt, useProjects } from "../feed/support/project.ts";

const makeProject = useProjects();

async function send(project: Project, name: string, more: object = {}): Promise<void> {
  const payload = { hook_event_name: name, session_id: "s1", cwd: project.root, ...more };
  const eventId = `${name} ${JSON.stringify(more)}`;
  const sender = { env: project.env, cwd: project.root, eventId, parentPid: process.pid } as const;
  await sessionEvent(project, payload, { ...sender, client: "claude" });
}

const at = (second: number) => `2026-01-02T03:04:0${second}.000Z`;
const line = (second: number, role: string, content: unknown, more: object = {}) =>
  JSON.stringify({ type: role, timestamp: at(second), message: { role, content, ...more } });
/** One answer is several lines, and each says what the whole of it took. */
const USAGE = { id: "m1", usage: { input_tokens: 10, output_tokens: 5, service_tier: "standard" } };
const call = (id: string, name: string, input: object) => [{ type: "tool_use", id, name, input }];
const result = (id: string, content: string, more: object = {}) => [
  { type: "tool_result", tool_use_id: id, content, ...more },
];

it("tells prompts, words, edits, checks and failures of an archived transcript, and what only looked as one line", async () => {
  const project = makeProject();
  const cairn = await project.stores.open(project, "create");
  const lines = [
    line(1, "user", "Fix the login page"),
    line(2, "assistant", [{ type: "text", text: "I look at it." }]),
    line(3, "assistant", call("1", "Read", { file_path: `${project.root}/a.ts` })),
    line(3, "user", result("1", "1 a")),
    line(3, "assistant", call("2", "Grep", { pattern: "login" })),
    line(3, "user", result("2", "a.ts")),
    line(
      4,
      "assistant",
      call("3", "Edit", { file_path: `${project.root}/a.ts`, old_string: "a", new_string: "b" }),
    ),
    line(4, "user", result("3", "done")),
    line(5, "assistant", call("4", "Bash", { command: "npm test" })),
    line(5, "user", result("4", "1 failed", { is_error: true })),
    "no json",
    line(6, "assistant", [{ type: "text", text: "One test fails." }], USAGE),
    line(6, "assistant", [], USAGE),
  ];
  await cairn.trail<object>("transcript/claude/s1").commit({ kind: "transcript", lines, tail: null });
  await cairn.trail("session/s1").commit((state) => {
    state.session = {
      id: "s1",
      client: "claude",
      status: "idle",
      started_at: at(1),
      transcript_path: "",
      transcript_trail: "transcript/claude/s1",
    };
  });
  const [session] = await sessions(project, { all: true });
  const { story, tokens } = await sessionStory(project, session as never);
  expect(story.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "prompt: Fix the login page",
    "said: I look at it.",
    "calls: 2 calls: Read, Grep",
    "edit: a.ts changed +1 -1",
    "check: failed: npm test",
    "said: One test fails.",
  ]);
  expect(tokens).toBe(15);
});

it("is followed while the session lives, and ends with it", async () => {
  const project = makeProject();
  await send(project, "SessionStart", { source: "startup" });
  const long = `Fix the login page, ${"and everything around it, ".repeat(10)}and tell me`;
  await send(project, "UserPromptSubmit", { prompt: long });
  const [session] = await sessions(project, { all: true });
  const other = openAt(project.root);
  const stop = new AbortController();
  const told: string[] = [];
  expect((await sessionStory(project, session as never)).story).toMatchObject([
    { kind: "prompt", text: long, by: "unconfirmed" },
  ]);
  const following = followStory(other, session as never, { story: [], signal: stop.signal });
  const next = following.next();
  await send(project, "UserPromptSubmit", { prompt: "And the logout page" });
  const { value } = await next;
  for (const { text } of value as readonly StoryLine[]) told.push(text);
  const end = following.next();
  await send(project, "SessionEnd", { reason: "exit" });
  expect((await end).done).toBe(true);
  await other.stores.close();
  expect(told).toContain("And the logout page");
});
