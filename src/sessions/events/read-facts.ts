import type { Environment } from "../../capture/environment.ts";
import { asText, own, textOf } from "../../text/untrusted.ts";
import type { About, BackgroundFact, Said } from "./facts.ts";
import type { HookEvent } from "./hook-event.ts";
import { isAboutTasks, rawCalls, readCall } from "./read-calls.ts";
import { taskOfEvent, tasksOfCalls } from "./read-tasks.ts";
import { capped } from "../../text/shorten.ts";
import { readTaskFiles } from "./task-files.ts";

const LONGEST_PROMPT = 8000;
const LONGEST_MESSAGE = 4000;
const LONGEST_SUMMARY = 16_000;
const LONGEST_PATH = 4000;
const MOST_BACKGROUND = 50;

export interface Surroundings {
  readonly root: string;
  readonly env: Environment;
  /** The folder that the session was started in. */
  readonly folder: string;
}

/** What an event says that is worth keeping. Looks at the client's task files, where those may have changed. */
export function readFacts(event: HookEvent, at: Surroundings): Said {
  return { about: aboutOf(event, at.folder), ...contentOf(event, at) };
}

function aboutOf({ fields, agentType }: HookEvent, folder: string): About {
  return {
    model: textOf(fields, "model")?.slice(0, 200),
    agentType: agentType?.slice(0, 200),
    transcript: pathOf(fields, "transcript_path"),
    agentTranscript: pathOf(fields, "agent_transcript_path"),
    folder,
  };
}

/** Half of a path leads nowhere. */
function pathOf(fields: HookEvent["fields"], name: string): string | undefined {
  const path = textOf(fields, name);
  return path === undefined || path.length > LONGEST_PATH ? undefined : path;
}

function contentOf(event: HookEvent, { root, env }: Surroundings): Said {
  const { moment, fields } = event;
  if (moment === "prompt") return { ...prompt(event), ...withTasks(readTaskFiles(event, env)) };
  if (moment === "task") return { tasks: [...taskOfEvent(event), ...readTaskFiles(event, env)] };
  if (moment === "after-compaction")
    return text("summary", textOf(fields, "compact_summary"), LONGEST_SUMMARY);
  if (moment === "tools") {
    const raw = rawCalls(event);
    const calls = raw.flatMap((call) => readCall(call, root) ?? []);
    const tasks = tasksOfCalls(raw);
    return {
      ...(calls.length === 0 ? {} : { calls }),
      ...withTasks(isAboutTasks(raw) ? [...tasks, ...readTaskFiles(event, env)] : tasks),
    };
  }
  return {
    ...text("message", textOf(fields, "last_assistant_message", "prompt_response"), LONGEST_MESSAGE),
    ...(moment === "failure" ? failure(event) : {}),
    ...background(event),
    ...(moment === "agent-start" ? {} : withTasks(readTaskFiles(event, env))),
  };
}

/** Turns that nobody typed, by the sign that they begin with. */
const MADE_BY_CLIENT = /^<(task-notification|system-reminder|command-|local-command|bash-|teammate-message)/;

/** Where prompts come from that nobody typed, by a word in the name. A source that is not known may be a person's: nothing is lost for it. */
const MADE_BY_MACHINES =
  /(?:^|[_-])(?:system|hook|cron|timer|scheduler?|scheduled|wakeup|notification|background|auto|continuation|compact|teammate|reminder|loop)(?:[_-]|$)/i;

/** Only what a person asked for: wake-ups and notices of the client are none, and `/compact` alone says nothing. */
function prompt({ fields }: HookEvent): Said {
  const words = textOf(fields, "prompt");
  if (words === undefined || MADE_BY_MACHINES.test(textOf(fields, "source") ?? "")) return {};
  if (MADE_BY_CLIENT.test(words) || /^\/[\w:.-]+$/.test(words)) return {};
  return text("prompt", words, LONGEST_PROMPT);
}

function failure({ fields }: HookEvent): Said {
  const kind = textOf(fields, "error") ?? "unknown";
  const details = textOf(fields, "error_details");
  return text("error", details === undefined ? kind : `${kind}: ${details}`, LONGEST_MESSAGE);
}

/** What goes on by itself: background commands, sub-agents, and what will wake the session later. */
function background({ fields }: HookEvent): Said {
  const running = own(fields, "background_tasks");
  const timers = own(fields, "session_crons");
  if (!Array.isArray(running) && !Array.isArray(timers)) return {};
  const list = (value: unknown) =>
    Array.isArray(value) ? (value as unknown[]).slice(0, MOST_BACKGROUND) : [];
  const facts: BackgroundFact[] = [
    ...list(running).map((item) => ({
      id: short(item, "id"),
      type: short(item, "type"),
      status: short(item, "status"),
      what: capped(textOf(item, "command", "description", "name", "tool") ?? "?", 1000),
    })),
    ...list(timers).map((item) => ({
      id: short(item, "id"),
      type: "timer",
      status: short(item, "schedule"),
      what: capped(textOf(item, "prompt") ?? "?", 1000),
    })),
  ];
  return { background: facts };
}

function short(item: unknown, name: string): string {
  return (asText(own(item, name)) ?? "?").slice(0, 200);
}

function text(
  name: "prompt" | "message" | "summary" | "error",
  words: string | undefined,
  limit: number,
): Said {
  return words === undefined ? {} : { [name]: capped(words, limit) };
}

function withTasks(tasks: NonNullable<Said["tasks"]>): Said {
  return tasks.length === 0 ? {} : { tasks };
}
