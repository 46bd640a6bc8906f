import { refusalOf } from "../gate/refusal.ts";
import { CheckpointError, isCheckpointError, messageOf } from "../../../core/errors.ts";
import { readPayload } from "../../../work/sessions/events/read-payload.ts";
import { CLIENTS } from "../../../work/clients/clients.ts";
import { clientOfEvent } from "../../../work/clients/find-client.ts";
import type { SessionContext } from "../../../work/sessions/context.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { actorOf } from "../../../work/project/actor.ts";
import { findConfigured, hasStore } from "../../../work/project/find-project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import type { Project } from "../../../work/project/project.ts";
import { isGoverned } from "../../../work/project/gate.ts";
import { openGovernance } from "./open-governance.ts";
import { preflight } from "./preflight.ts";
import { questionOf } from "./tool-question.ts";
import { keepUndecided } from "./undecided.ts";

/** The event that a client sends before it calls a tool, where it is set up to. */
const BEFORE_TOOL = "PreToolUse";

/** What a client reads as: its own rules decide. */
const NO_OPINION = "{}";

/** Clients wait ten seconds at most, and go on without an answer: this is less, with what it takes to start and end. */
const DECIDE_MS = 2500;

/** Who asks, and from where. */
type Asker = Pick<SessionContext, "env" | "cwd" | "client">;

/** A project without its place: the call says where it belongs. */
type Anywhere = Omit<Project, "root" | "folder" | "actor">;

/**
 * Asks the gate about a tool call. Returns what the client is to print, always JSON: that it is denied, or that the user
 * must be asked, or nothing that the client's own rules would not decide; undefined where no project is governed. What
 * cannot be read, decided or recorded in time is denied, and recorded later.
 */
export async function gateTool(world: Anywhere, payload: unknown, asker: Asker): Promise<string | undefined> {
  const { fields = {}, problem } = readPayload(payload);
  const client = asker.client ?? clientOfEvent(fields, asker.env);
  const call = new TimedCall();
  let project: Project | undefined;
  const decide = async () => {
    const decided = new Set<string>();
    for (const folder of foldersOf(fields, payload, asker)) {
      const found = await findGoverned(world, folder);
      if (found === undefined || decided.has(found.root)) continue;
      decided.add(found.root);
      project = found;
      if (problem !== undefined) throw unreadable(problem);
      project = { ...project, actor: actorOf(asker.env, { client: CLIENTS[client].id }) };
      const governance = await openGovernance(project, "create");
      const admission = await preflight(project, governance, questionOf(fields));
      // Asked inside the transaction: what was denied as late must not be recorded as done.
      await governance.act({ ...admission, entries: () => call.assertInTime() });
    }
    return decided.size === 0 ? undefined : NO_OPINION;
  };
  try {
    return await call.run(decide);
  } catch (error) {
    const answer = refusalOf(error);
    if (project !== undefined && answer === undefined && !isCheckpointError(error, "refused"))
      keepUndecided(project, {
        agent: project.actor.signature,
        what: `${nameOf(fields)}: ${wordsOf(error)}`,
      });
    const canAsk = CLIENTS[client].asksAtGate === true;
    return answerWith(answer?.decision === "ask" && canAsk ? "ask" : "deny", wordsOf(error));
  }
}

/** A decision that must come in time. */
class TimedCall {
  #isOver = false;

  async run<T>(decide: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#isOver = true;
      reject(tooLate());
    }, DECIDE_MS);
    const decided = decide();
    // Whatever comes of it later was answered already.
    decided.catch(() => undefined);
    return Promise.race([decided, promise]).finally(() => clearTimeout(timer));
  }

  assertInTime(): [] {
    if (this.#isOver) throw tooLate();
    return [];
  }
}

/**
 * Where the call may belong: its own folder, and those that the client was started in. All of their gates are asked: an
 * agent can change the first, and into a project that it governs itself.
 */
function foldersOf(fields: object, payload: unknown, { env, cwd }: Asker): string[] {
  const started = Object.values(CLIENTS).flatMap(({ folderVariable }) =>
    folderVariable === undefined ? [] : (env[folderVariable] ?? []),
  );
  const named = textOf(fields, "cwd") ?? folderIn(payload);
  return [...new Set([...(named === undefined ? [] : [named]), ...started, cwd])];
}

/** The folder that the beginning of an event names which is too large, or cut off: clients put it before the call. */
function folderIn(payload: unknown): string | undefined {
  if (!(payload instanceof Uint8Array)) return undefined;
  const [, quoted] =
    /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(Buffer.from(payload.subarray(0, 65_536)).toString()) ?? [];
  return quoted === undefined ? undefined : textOf(readPayload(`{"cwd":${quoted}}`).fields, "cwd");
}

async function findGoverned(world: Anywhere, folder: string): Promise<Project | undefined> {
  let place;
  try {
    place = await findConfigured(folder, world.env);
  } catch (error) {
    // A folder that is gone holds no project.
    if (isCheckpointError(error, "not-found")) return undefined;
    throw error;
  }
  const project = { ...world, ...place, actor: { signature: "unknown" } };
  const isOn = hasStore(project)
    ? await isGoverned(project, await project.stores.open(project, "write", null))
    : (await settingsOf(project)).governance === true;
  return isOn ? project : undefined;
}

const nameOf = (fields: object) => textOf(fields, "tool_name") ?? "a tool";

function wordsOf(error: unknown): string {
  const hint = isCheckpointError(error) && error.hint !== undefined ? ` ${error.hint}` : "";
  return `${messageOf(error)}${hint}`;
}

function answerWith(permissionDecision: "ask" | "deny", permissionDecisionReason: string): string {
  const hookSpecificOutput = { hookEventName: BEFORE_TOOL, permissionDecision, permissionDecisionReason };
  return JSON.stringify({ hookSpecificOutput });
}

function unreadable(problem: string): CheckpointError {
  return new CheckpointError("failed", `The gate cannot read this call: ${problem}.`, {
    hint: "If the call is very large, split it.",
  });
}

function tooLate(): CheckpointError {
  return new CheckpointError("failed", "The gate could not decide in time.", {
    hint: "Another process may be holding the store. Try again; if it persists: checkpoint doctor",
  });
}
