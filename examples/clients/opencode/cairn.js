// A plugin for OpenCode that keeps the work of its sessions in Cairn, and hands it over.
// Copy it to .opencode/plugins/ of a project, or to ~/.config/opencode/plugins/ for all. Nothing has to be installed
// for it but the command `checkpoint` itself. docs/adapters.md says what it does and does not capture.
import { spawn } from "node:child_process";

/** The plugin must never hold the agent up: whatever takes longer is given up. */
const LIMIT_MS = 5000;

/** OpenCode's tools under the names that `checkpoint hook` knows. */
const TOOLS = {
  bash: "Bash",
  edit: "Edit",
  write: "Write",
  patch: "apply_patch",
  apply_patch: "apply_patch",
};

/** Calls `checkpoint hook` with one event; returns what it answers, or nothing. Never throws. */
function hook(directory, command, payload) {
  return new Promise((resolve) => {
    const [program, ...args] = command;
    const child = spawn(program, [...args, "hook", "--client", "opencode"], {
      cwd: directory,
      // By it others know whether this session still lives.
      env: { ...process.env, OPENCODE_PID: String(process.pid) },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    const end = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    let answer = "";
    child.stdout.on("data", (chunk) => (answer += chunk));
    child.on("error", () => end(""));
    child.on("close", () => end(answer.trim()));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ cwd: directory, ...payload }));
  });
}

/** What an answer wants the model to read. */
function contextOf(answer) {
  try {
    return JSON.parse(answer).hookSpecificOutput?.additionalContext;
  } catch {
    return undefined;
  }
}

const textOf = (parts) =>
  parts
    .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join("\n");

/** The parts of a tool's arguments that `checkpoint hook` looks at, under its names. */
const inputOf = (args = {}) => ({
  command: args.command,
  file_path: args.filePath,
  input: args.patchText ?? args.patch,
});

/** What a sub-agent is, as OpenCode names its session: `Find the bug (@explore subagent)`. */
const agentIn = (title) => /\(@([\w.-]{1,100}) subagent\)/.exec(title ?? "")?.[1];

export const CairnPlugin = async ({ directory, client }, options = {}) => {
  const command = options.command ?? ["checkpoint"];
  /** Sub-agents are sessions with a parent: the session at the top, and what they are, by their own id. */
  const agents = new Map();
  const known = new Set();
  const meet = ({ id, parentID, title, agent }) => {
    known.add(id);
    if (parentID)
      agents.set(id, { root: agents.get(parentID)?.root ?? parentID, type: agent ?? agentIn(title) });
  };
  /** Of a session that was there before this plugin was, OpenCode has to be asked. */
  const ask = async (sessionID, depth = 0) => {
    if (known.has(sessionID) || depth > 8) return;
    known.add(sessionID);
    try {
      const { data } = await client.session.get({ path: { id: sessionID } });
      if (data?.parentID) await ask(data.parentID, depth + 1);
      if (data) meet(data);
    } catch {
      // It counts as one that nobody started.
    }
  };
  /** Whose event it is: what happens in a sub-agent belongs to the session at the top. */
  const ids = (sessionID) => {
    const agent = agents.get(sessionID);
    if (agent === undefined) return { session_id: sessionID };
    return { session_id: agent.root, agent_id: sessionID, agent_type: agent.type };
  };
  const send = (event, sessionID, more = {}) =>
    hook(directory, command, { hook_event_name: event, ...ids(sessionID), ...more });
  /** What each session was told when it began, and is told again with every request: OpenCode builds the system prompt anew. */
  const briefings = new Map();
  const begin = (sessionID, source) => {
    const start = agents.has(sessionID)
      ? send("SubagentStart", sessionID)
      : send("SessionStart", sessionID, { source });
    briefings.set(sessionID, start.then(contextOf));
  };

  return {
    event: async ({ event }) => {
      const { type, properties } = event;
      const sessionID = properties?.sessionID ?? properties?.info?.id;
      if (sessionID === undefined) return;
      if (type === "session.created") {
        meet({ ...properties.info, id: sessionID });
        begin(sessionID, "startup");
      }
      const isAgent = agents.has(sessionID);
      if (type === "session.compacted" && !isAgent) begin(sessionID, "compact");
      if (type === "session.idle") await send(isAgent ? "SubagentStop" : "Stop", sessionID);
      if (type === "session.error")
        await send("StopFailure", sessionID, { error: properties.error?.name ?? "unknown" });
      // A sub-agent's list is its own, and would take the place of the session's.
      if (type === "todo.updated" && !isAgent)
        await send("PostToolUse", sessionID, {
          tool_name: "TodoWrite",
          tool_use_id: `todo-${Date.now()}`,
          tool_input: { todos: properties.todos },
          tool_response: {},
        });
    },
    "chat.message": async ({ sessionID, model }, { parts }) => {
      await ask(sessionID);
      if (!briefings.has(sessionID)) begin(sessionID, "resume");
      // What was there before must be found before this prompt is.
      const before = await briefings.get(sessionID);
      const prompt = { prompt: textOf(parts), model: model?.modelID };
      const news = contextOf(await send("UserPromptSubmit", sessionID, prompt));
      if (news) briefings.set(sessionID, Promise.resolve([before, news].filter(Boolean).join("\n\n")));
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, { output, metadata }) => {
      const name = TOOLS[tool];
      if (name === undefined) return;
      const exit = metadata?.exit;
      await send("PostToolUse", sessionID, {
        tool_name: name,
        tool_use_id: callID,
        tool_input: inputOf(args),
        tool_response: { stdout: output, ...(typeof exit === "number" ? { exit_code: exit } : {}) },
      });
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const briefing = await briefings.get(sessionID);
      if (briefing) system.push(briefing);
    },
    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      const truth = await send("PreCompact", sessionID, { trigger: "auto" });
      if (truth) context.push(truth);
    },
    "shell.env": async ({ sessionID }, { env }) => {
      if (sessionID === undefined) return;
      // So that `checkpoint`, typed by the agent, writes to the same trail.
      const { session_id: root, agent_id: agent } = ids(sessionID);
      env.OPENCODE_SESSION_ID = root;
      if (agent !== undefined && /^[\w-]+$/.test(root + agent))
        env.CHECKPOINT_TRAIL = `session/${root}/agent/${agent}`;
    },
  };
};
