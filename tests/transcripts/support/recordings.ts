import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const CLAUDE_ID = "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";
export const CODEX_ID = "019a2b3c-4d5e-7f60-8a9b-0123456789ab";

const minute = (n: number) => new Date(Date.UTC(2026, 0, 23, 10, n)).toISOString();

type Line = Readonly<Record<string, unknown>>;

/** Lines as Claude Code writes them (fields of version 2.1), of a session that does two of three tasks and then breaks off. */
export function claudeLines(cwd: string, sessionId = CLAUDE_ID): Line[] {
  let n = 0;
  const line = (type: string, more: Line): Line => ({
    parentUuid: n === 0 ? null : `u-${n - 1}`,
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId,
    version: "2.1.325",
    gitBranch: "feature/login",
    type,
    uuid: `u-${n}`,
    timestamp: minute(n++),
    ...more,
  });
  const user = (content: unknown, more: Line = {}) =>
    line("user", { message: { role: "user", content }, ...more });
  const assistant = (content: readonly Line[], stop_reason: string | null = "tool_use") =>
    line("assistant", {
      message: {
        id: `msg_${n}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-4-7",
        content,
        stop_reason,
        usage: { input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 5 },
      },
    });
  const use = (id: string, name: string, input: Line) => assistant([{ type: "tool_use", id, name, input }]);
  const result = (id: string, content: unknown, more: Line = {}, isError = false) =>
    user([{ type: "tool_result", tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }], more);
  return [
    { type: "file-history-snapshot", messageId: "m", snapshot: {}, isSnapshotUpdate: false },
    user("Add a login page.\nKeep it small."),
    user("<command-name>/model</command-name>"),
    user("Caveat: what follows was not typed", { isMeta: true }),
    assistant([
      { type: "thinking", thinking: "hm", signature: "c2lnbmF0dXJl" },
      { type: "text", text: "I will plan." },
    ]),
    use("t1", "TaskCreate", { subject: "Write the form", description: "d" }),
    result("t1", "Task #1 created successfully: Write the form", {
      toolUseResult: { task: { id: "1", subject: "Write the form" } },
    }),
    use("t2", "TaskCreate", { subject: "Write the test" }),
    result("t2", "Task #2 created", { toolUseResult: { task: { id: "2", subject: "Write the test" } } }),
    use("t3", "TaskUpdate", { taskId: "1", status: "in_progress" }),
    result("t3", "Updated", { toolUseResult: { success: true, taskId: "1" } }),
    use("t4", "Write", { file_path: join(cwd, "src/login.html"), content: "<form>" }),
    result("t4", "File created"),
    use("t5", "Edit", { file_path: join(cwd, "missing.ts"), old_string: "a", new_string: "b" }),
    result("t5", "File does not exist.", {}, true),
    use("t6", "Bash", { command: "npm test" }),
    result("t6", "1 failed", {}, true),
    use("t7", "TaskUpdate", { taskId: "1", status: "completed" }),
    result("t7", "Updated", { toolUseResult: { success: true, taskId: "1" } }),
    use("t8", "Agent", { description: "Look for forms", subagent_type: "Explore", prompt: "Find all forms" }),
    result("t8", [{ type: "text", text: "There are two forms." }], {
      toolUseResult: { agentId: "a1b2", status: "completed" },
    }),
    line("system", { subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 1000 } }),
    user("This session is being continued …", { isCompactSummary: true }),
    user("Now write the test, please."),
    assistant([{ type: "text", text: "The form is there; the test is next." }], "end_turn"),
    line("a-kind-of-tomorrow", { what: "nobody knows" }),
    use("t9", "TaskUpdate", { taskId: "2", status: "in_progress" }),
    result("t9", "Updated", { toolUseResult: { success: true, taskId: "2" } }),
  ];
}

/** Lines as Codex writes them (fields of version 0.166). */
export function codexLines(cwd: string, id = CODEX_ID): Line[] {
  let n = 0;
  const line = (type: string, payload: Line): Line => ({ timestamp: minute(n++), type, payload });
  const call = (call_id: string, name: string, input: Line) =>
    line("response_item", { type: "function_call", name, arguments: JSON.stringify(input), call_id });
  const output = (call_id: string, text: string) =>
    line("response_item", { type: "function_call_output", call_id, output: text });
  const patch =
    "*** Begin Patch\n*** Update File: src/cache.ts\n@@\n-a\n+b\n*** Add File: src/cache.test.ts\n+x\n*** End Patch\n";
  return [
    line("session_meta", {
      id,
      session_id: id,
      timestamp: minute(0),
      cwd,
      originator: "codex_cli_rs",
      cli_version: "0.166.0",
      source: "cli",
      git: { branch: "main", commit_hash: "abc" },
    }),
    line("turn_context", { cwd, model: "gpt-5.5-codex", approval_policy: "never" }),
    line("response_item", {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "<environment_context>\n</environment_context>" }],
    }),
    line("response_item", {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "Make the cache faster" }],
    }),
    line("event_msg", { type: "user_message", message: "Make the cache faster", images: [] }),
    line("event_msg", { type: "task_started", turn_id: "1" }),
    call("c1", "update_plan", {
      plan: [
        { step: "Measure", status: "completed" },
        { step: "Change", status: "in_progress" },
      ],
    }),
    output("c1", "Plan updated"),
    call("c2", "exec_command", { cmd: "npm run bench", workdir: cwd }),
    output("c2", "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 1\nOutput:\nslow"),
    line("response_item", { type: "custom_tool_call", call_id: "c3", name: "apply_patch", input: patch }),
    line("response_item", {
      type: "custom_tool_call_output",
      call_id: "c3",
      output: '{"output":"Success","metadata":{"exit_code":0}}',
    }),
    line("response_item", { type: "reasoning", summary: [], encrypted_content: "Z0FBQUFBQm8=" }),
    line("response_item", {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "It is twice as fast." }],
    }),
    line("event_msg", { type: "token_count", info: { total_token_usage: { total_tokens: 4321 } } }),
    // A call that the client refused has changed nothing.
    line("response_item", {
      type: "custom_tool_call",
      call_id: "c4",
      name: "apply_patch",
      input: patch.replaceAll("cache", "refused"),
    }),
    line("response_item", {
      type: "custom_tool_call_output",
      call_id: "c4",
      output: "unsupported custom tool call: apply_patch",
    }),
    call("c5", "update_plan", { plan: [] }),
    output("c5", "unsupported call: update_plan"),
    line("world_state", { any: 1 }),
    line("event_msg", { type: "task_complete", turn_id: "1", last_agent_message: "It is twice as fast." }),
  ];
}

export const asText = (lines: readonly Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

export function writeText(path: string, text: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export function claudePath(config: string, cwd: string, id = CLAUDE_ID): string {
  return join(config, "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
}

export function codexPath(home: string, id = CODEX_ID): string {
  return join(home, "sessions/2026/01/23", `rollout-2026-01-23T10-00-00-${id}.jsonl`);
}

/** What Claude Code leaves behind of a session; returns the file. */
export function recordClaude(home: string, cwd: string, id = CLAUDE_ID): string {
  return writeText(claudePath(join(home, ".claude"), cwd, id), asText(claudeLines(cwd, id)));
}

/** The same of Codex. */
export function recordCodex(home: string, cwd: string): string {
  return writeText(codexPath(join(home, ".codex")), asText(codexLines(cwd)));
}
