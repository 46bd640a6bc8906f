import type { Environment } from "../../machine/environment.ts";
import { capped } from "../../../core/text/shorten.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import type { BackgroundWork, EventContent } from "./session-event.ts";
import type { HookEvent } from "./hook-event.ts";
import { LONGEST_PROMPT } from "./transcript-entry.ts";
import { isAboutTasks, rawCalls, readCall } from "./read-calls.ts";
import { readTaskFiles, taskOfEvent, tasksOfCalls } from "./read-tasks.ts";

const LONGEST_MESSAGE = 4000;
const LONGEST_PATH = 4000;
const MOST_BACKGROUND = 50;

interface ContentOptions {
  readonly root: string;
  readonly env: Environment;
  /** The folder that the session was started in. */
  readonly folder: string;
}

/** What an event says that is worth keeping. Also reads the client's task files if they may have changed. */
export function readContent(event: HookEvent, options: ContentOptions): EventContent {
  const { fields, agentType } = event;
  const about = {
    model: textOf(fields, "model")?.slice(0, 200),
    agentType: agentType?.slice(0, 200),
    transcript: wholePath(fields, "transcript_path"),
    agentTranscript: wholePath(fields, "agent_transcript_path"),
    folder: options.folder,
  };
  return { about, ...whatItTells(event, options) };
}

/** A path is kept whole or not at all. */
function wholePath(fields: HookEvent["fields"], name: string): string | undefined {
  const path = textOf(fields, name) ?? "";
  return path === "" || path.length > LONGEST_PATH ? undefined : path;
}

function whatItTells(event: HookEvent, { root, env }: ContentOptions): EventContent {
  const { moment, fields } = event;
  const taskFiles = () => readTaskFiles(event, env);
  if (moment === "prompt") return { prompt: promptOf(event), tasks: taskFiles() };
  if (moment === "task") return { tasks: [...taskOfEvent(event), ...taskFiles()] };
  if (moment === "tools") {
    const raw = rawCalls(event);
    const tasks = [...tasksOfCalls(raw), ...(isAboutTasks(raw) ? taskFiles() : [])];
    return { calls: raw.flatMap((call) => readCall(call, root) ?? []), tasks };
  }
  return {
    message: short(textOf(fields, "last_assistant_message", "prompt_response"), LONGEST_MESSAGE),
    error: moment === "failure" ? errorOf(event) : undefined,
    background: backgroundWork(event),
    tasks: moment === "agent-start" ? [] : taskFiles(),
  };
}

/** The start of prompts that the client wrote itself. */
const MADE_BY_CLIENT =
  /^<((?:task|agent)-notification|system-reminder|command-|local-command|bash-|teammate-message)/;

/** Sources of prompts that nobody typed. An unknown source may be a person, so its prompts are kept. */
const MADE_BY_MACHINES =
  /(?:^|[_-])(?:system|hook|cron|timer|scheduler?|scheduled|wakeup|notification|background|auto|continuation|compact|teammate|reminder|loop)(?:[_-]|$)/i;

/** Only what a person asked for: no wake-ups or notices of the client, and no bare slash command. */
function promptOf({ fields }: HookEvent): string | undefined {
  const words = textOf(fields, "prompt");
  if (words === undefined || MADE_BY_MACHINES.test(textOf(fields, "source") ?? "")) return undefined;
  if (MADE_BY_CLIENT.test(words) || /^\/[\w:.-]+$/.test(words)) return undefined;
  return short(words, LONGEST_PROMPT);
}

function errorOf({ fields }: HookEvent): string | undefined {
  const kind = textOf(fields, "error") ?? "unknown";
  const details = textOf(fields, "error_details");
  return short(details === undefined ? kind : `${kind}: ${details}`, LONGEST_MESSAGE);
}

function backgroundWork({ fields }: HookEvent): BackgroundWork[] | undefined {
  const [running, timers] = [own(fields, "background_tasks"), own(fields, "session_crons")];
  if (running === undefined && timers === undefined) return undefined;
  const isTimer = (item: unknown) => textOf(item, "schedule") !== undefined;
  // Sub-agents have events and a list of their own; this one lags behind them.
  return [...asList(running).slice(0, MOST_BACKGROUND), ...asList(timers).slice(0, MOST_BACKGROUND)]
    .filter((item) => textOf(item, "type") !== "subagent")
    .map((item) => ({
      id: (textOf(item, "id") ?? "?").slice(0, 200),
      type: isTimer(item) ? "timer" : (textOf(item, "type") ?? "?").slice(0, 200),
      status: (textOf(item, "schedule", "status") ?? "?").slice(0, 200),
      what: capped(textOf(item, "prompt", "command", "description", "name", "tool") ?? "?", 1000),
    }));
}

const short = (text: string | undefined, limit: number) => text && capped(text, limit);
