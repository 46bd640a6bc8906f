import { isAbsolute } from "node:path";
import { findProjectRoot, isSameFolder } from "../../machine/folders.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { AgentSession, WorkState } from "../../state/work-state.ts";
import { isTaskOver } from "../../state/tasks.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { resumeCommand } from "../../sessions/command-to-resume.ts";
import { markInterrupted } from "../../sessions/alive/interrupted.ts";
import { lastSeen, livenessOf, modifiedAt } from "../../sessions/alive/liveness.ts";
import { loadIfAny } from "../../sessions/trails/unfinished.ts";
import type { Project } from "../project.ts";
import { redactorOf } from "../settings/settings.ts";
import { isPrintable, shellWord } from "../../../core/text/shell-word.ts";

/** A session of an agent client, as its trail tells it. */
export type AgentSessionReport = Awaited<ReturnType<typeof reportOf>>;

const PREFIX = "session/";

export interface SessionsInput {
  /** Also sessions that worked in other projects. */
  readonly all?: boolean | undefined;
}

/** The agent sessions of a store, the one that was seen last first. A damaged trail is left out: `verify` will tell. */
export async function sessions(
  project: Project,
  { all = false }: SessionsInput,
): Promise<AgentSessionReport[]> {
  const cairn = await project.stores.open(project, "read");
  const trails = await cairn.trails({ prefix: PREFIX });
  const reports: AgentSessionReport[] = [];
  for (const { name } of trails) {
    // A sub-agent's own trail is told with its session.
    if (name.slice(PREFIX.length).includes("/")) continue;
    const found = await loadIfAny(cairn, name);
    if (found !== undefined && (all || isOfProject(found.state.session, project.root)))
      reports.push(await reportOf(found, project));
  }
  return reports.toSorted((a, b) => Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at));
}

async function reportOf(checkpoint: Checkpoint<WorkState>, project: Project) {
  const { root, env, folder, now } = project;
  const { trail, checkpoint_id } = checkpoint;
  const viewpoint = { folder, root, env, now: now(), redactor: () => redactorOf(project) };
  const state = await markInterrupted(checkpoint, { ...viewpoint, reader: "anybody" });
  const { session, tasks, files_touched, checks_failing } = state;
  const { transcript_path: path, cwd } = session ?? {};
  const { status, known } = await livenessOf(checkpoint, viewpoint);
  const done = tasks.filter(isTaskOver).length;
  const active = tasks.find((task) => task.status === "in_progress");
  return {
    id: session?.id ?? checkpoint.session_id ?? trail.slice(PREFIX.length),
    client: session?.client ?? "unknown",
    trail,
    checkpoint_id,
    status,
    known,
    goal: state.goal ?? null,
    model: session?.model ?? null,
    started_at: session?.started_at ?? null,
    last_seen_at: lastSeen(checkpoint).toISOString(),
    last_action: state.recent_outputs.at(-1)?.action || session?.last_action || null,
    last_message: session?.last_message ?? null,
    tasks: { done, open: tasks.length - done, active: active?.subject ?? null },
    files_touched,
    checks_failing,
    subagents: state.subagents.map(subagentOf),
    transcript: {
      path: path ?? null,
      exists: path !== undefined && modifiedAt(path) !== undefined,
      archived: session?.transcript_trail ?? null,
    },
    // What to type to go on in the client itself, which finds a session only from where it was started.
    resume: commandFrom(session, cwd !== undefined && isSameFolder(cwd, root) ? undefined : cwd),
  };
}

/** What to type to go on with a session in its own client; null for clients that cannot, or that are not known. */
function commandFrom(session: AgentSession | undefined, folder: string | undefined): string | null {
  const command = resumeCommand(session);
  if (command === undefined || folder === undefined) return command ?? null;
  return isPrintable(folder) ? `cd ${shellWord(folder)} && ${command}` : null;
}

function isOfProject(session: AgentSession | undefined, root: string): boolean {
  const { cwd } = session ?? {};
  if (cwd === undefined || !isAbsolute(cwd)) return true;
  return isSameFolder(findProjectRoot(cwd), root);
}

function subagentOf(agent: unknown) {
  return {
    id: textOf(agent, "id") ?? "?",
    type: textOf(agent, "type") ?? null,
    status: textOf(agent, "status") ?? "unknown",
    last_message: textOf(agent, "last_message") ?? null,
  };
}
