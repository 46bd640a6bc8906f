import { clip, oneLine } from "../../../core/text/visible.ts";
import type { StoryLine } from "../../../work/project/reading/story-line.ts";
import type { AgentSessionReport } from "../../../work/project/reading/sessions.ts";
import { isPrintable, shellWord } from "../../../core/text/shell-word.ts";
import { fit } from "../../../work/terminal/columns.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { type Block, labelled, layOut, recorded } from "../../../work/terminal/layout.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";

/** A session in a few lines: who and when, what for, how far, and how to go on. */
export function sessionLines(session: AgentSessionReport, now: Date, { style, columns }: Output): string {
  const { id, client, status, last_seen_at, goal } = session;
  const [way = ""] = waysOn(session);
  const room = columns && columns - 4;
  const head = `${style.yellow(oneLine(id))}  ${oneLine(client)}  ${style.bold(status)}  ${style.dim(ago(last_seen_at, now))}`;
  const rest = [goal === null ? "" : oneLine(clip(goal, 200)), progressOf(session), style.cyan(way)];
  return [head, ...rest.filter((line) => line !== "").map((line) => `    ${fit(line, room)}`)].join("\n");
}

function progressOf({ status, tasks, files_touched, checks_failing, subagents }: AgentSessionReport): string {
  const all = tasks.done + tasks.open;
  const interrupted = subagents.filter(({ status }) => status === "interrupted").length;
  return [
    all === 0 ? "" : `${tasks.done} of ${count(all, "task")} done`,
    files_touched.length === 0 ? "" : count(files_touched.length, "file"),
    checks_failing.length === 0 ? "" : `${count(checks_failing.length, "check")} failing`,
    interrupted === 0 ? "" : `${count(interrupted, "sub-agent")} interrupted`,
    tasks.active === null
      ? ""
      : `${isOver(status) ? "stopped at" : "at"}: ${oneLine(clip(tasks.active, 80))}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export const isOver = (status: AgentSessionReport["status"]) => /^(died|ended|failed)$/.test(status);

const MOST_FILES = 20;

export function sessionScreen(
  session: AgentSessionReport & { readonly tokens: number | null },
  now: Date,
  output: Output,
): string {
  const { id, client, model, status, known, files_touched, subagents } = session;
  const more = files_touched.length - MOST_FILES;
  const blocks: Block[] = [
    labelled("Session", `${oneLine(id)}  ${oneLine(client)}${model === null ? "" : `, ${oneLine(model)}`}`),
    labelled("Status", `${status}: ${oneLine(known)}`),
    labelled("Last seen", ago(session.last_seen_at, now)),
    { label: "Goal", lines: linesOf(session.goal) },
    labelled("Progress", progressOf(session)),
    labelled("Tokens", session.tokens?.toLocaleString("en-US")),
    { label: "Did last", lines: linesOf(session.last_action) },
    { label: "Said last", lines: linesOf(session.last_message) },
    {
      label: "Files",
      lines: [
        ...files_touched.slice(-MOST_FILES).map(oneLine),
        ...(more > 0 ? [`and ${count(more, "other")}`] : []),
      ],
    },
    { label: "Failing", lines: session.checks_failing.map(oneLine) },
    {
      label: "Sub-agents",
      lines: subagents.map(
        (agent) =>
          `${oneLine(agent.id)}  ${oneLine(agent.status)}${agent.type === null ? "" : `, ${oneLine(agent.type)}`}`,
      ),
    },
    { label: "Transcript", lines: transcriptLines(session) },
    { label: "Continue", lines: waysOn(session) },
  ];
  return layOut(blocks, output);
}

const STORY_CHARS = 400;

/** A part of a session's story. */
export function storyLine({ at, kind, text }: StoryLine, { style }: Output): string {
  const paint = kind === "prompt" ? style.bold : kind === "failed" ? style.red : (words: string) => words;
  const when = at.slice(0, 16).replace("T", " ");
  return `${style.dim(when)}  ${kind.padEnd(7)}  ${paint(oneLine(clip(text, STORY_CHARS)))}`;
}

function linesOf(text: string | null): string[] {
  return text === null ? [] : recorded(clip(text, 1000));
}

function transcriptLines({ transcript: { path, exists, archived } }: AgentSessionReport): string[] {
  const lines = path === null ? [] : [exists ? oneLine(path) : `${oneLine(path)} (missing)`];
  return archived === null ? lines : [...lines, `archived in trail ${oneLine(archived)}`];
}

/** What to type, the client's own command first where it can still work. */
export function waysOn({ id, trail, resume, transcript }: AgentSessionReport): string[] {
  const { path, exists, archived } = transcript;
  const summary = `checkpoint summary --trail ${oneLine(trail)}`;
  if (resume === null) return [summary];
  if (path === null || exists) return [resume, summary];
  // The client cannot go on without its file, but it can be put back where it was.
  const place = path.replace(/\.zst$/, "");
  if (archived === null || !isPrintable(place)) return [summary];
  return [`checkpoint export --transcript ${id} --output ${shellWord(place)}`, resume, summary];
}
