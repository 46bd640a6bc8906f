import { textOf } from "../text/untrusted.ts";
import { hasLiveAgent } from "./clients/interrupted.ts";
import { type EventProject, type EventResult, reduceContext } from "./event-project.ts";
import type { EventFacts } from "./events/facts.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { save } from "./save.ts";
import { sessionTrail } from "./session.ts";
import { exportToShell } from "./trails/export-to-shell.ts";
import { forkParent } from "./trails/fork-parent.ts";
import { loadIfAny, newestUnfinished } from "./trails/unfinished.ts";

/** A session begins or is resumed: it gets its trail, and what it should know. */
export async function captureStart(
  event: HookEvent,
  project: EventProject,
  facts: EventFacts,
): Promise<EventResult> {
  const { cairn, context } = project;
  const trail = sessionTrail({ id: event.sessionId });
  exportToShell(event, trail, context.env);
  const { foreignBriefing, ownBriefing } = await import("./briefing.ts");
  let problem: unknown;
  let isSaved = false;
  const isFirst = (await cairn.store.head(trail)) === undefined;
  const forkedFrom = isFirst
    ? await fork(event, project).catch((error: unknown) => void (problem = error))
    : undefined;
  const isNew = isFirst && forkedFrom === undefined && textOf(event.fields, "source") !== "resume";
  // A resumed session knows its own past; a new one has none.
  const other = isNew ? await newestUnfinished(cairn, trail) : undefined;
  // Work that another agent is doing right now is not handed over.
  const isOpen = other !== undefined && (await hasLiveAgent(other, { ...project, reader: "another" }));
  try {
    const handedOver = isOpen ? undefined : other?.checkpoint_id;
    isSaved = await save(cairn, trail, { ...reduceContext(event, project), forkedFrom, handedOver }, facts);
  } catch (error) {
    problem = error;
  }
  if (other !== undefined)
    return { trail, isSaved, problem, text: await foreignBriefing(project, event, other) };
  const found = await loadIfAny(cairn, trail);
  return { trail, isSaved, problem, text: found && (await ownBriefing(project, event, found)) };
}

/** Starts the trail from the head of the parent's; returns that checkpoint. */
async function fork(event: HookEvent, { cairn, context }: EventProject): Promise<string | undefined> {
  const parent = forkParent(event, context.env);
  const origin = parent && (await loadIfAny(cairn, sessionTrail({ id: parent })));
  if (!origin) return undefined;
  await cairn.trail(origin.trail).fork(sessionTrail({ id: event.sessionId }), {
    trigger: `hook:${event.name}`,
    session_id: event.sessionId,
  });
  return origin.checkpoint_id;
}
