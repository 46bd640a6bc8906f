import { isCheckpointError, messageOf } from "../../core/errors.ts";
import { askGate } from "../../work/project/gate.ts";
import type { Project } from "../../work/project/project.ts";
import { type DeadLetter, dropDead, readDead } from "./dead-letters.ts";
import type { Integration, IntegrationWorld, Outlet } from "./integration.ts";
import { openWorld } from "./open-world.ts";

/** Whether an outlet, or what it needs, works. */
export interface IntegrationCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly hint: string | null;
}

/** Tries each integration once. */
export async function integrationsTest(
  project: Project,
): Promise<{ readonly checks: readonly IntegrationCheck[] }> {
  // It sends requests with the tokens that are configured.
  await askGate(project, "keep.integrations");
  const { world, all } = await openOnce(project);
  return { checks: (await Promise.all(all.map((each) => checksOf(each, world)))).flat() };
}

async function checksOf(integration: Integration, world: IntegrationWorld): Promise<IntegrationCheck[]> {
  const outlets = await integration.outlets(world).catch((error: unknown) => failed(integration.name, error));
  if (!Array.isArray(outlets)) return [outlets as IntegrationCheck];
  return Promise.all(
    (outlets as readonly Outlet[]).map(async (outlet) => {
      try {
        return { name: outlet.name, ok: true, found: await outlet.test(), hint: null };
      } catch (error) {
        return failed(outlet.name, error);
      }
    }),
  );
}

function failed(name: string, error: unknown): IntegrationCheck {
  if (!isCheckpointError(error)) throw error;
  return { name, ok: false, found: messageOf(error), hint: error.hint ?? null };
}

/** What could not be delivered, the oldest first. */
export async function integrationsDead(
  project: Project,
): Promise<{ readonly letters: readonly DeadLetter[] }> {
  return { letters: await readDead(project) };
}

/** Delivers once more what could not be delivered. What still fails stays. */
export async function integrationsResend(
  project: Project,
): Promise<{ readonly sent: number; readonly left: number }> {
  await askGate(project, "keep.integrations");
  const letters = await readDead(project);
  if (letters.length === 0) return { sent: 0, left: 0 };
  const { world, all } = await openOnce(project);
  const outlets = (await Promise.all(all.map((each) => each.outlets(world)))).flat();
  let sent = 0;
  for (const letter of letters) {
    const outlet = outlets.find(({ name }) => name === letter.outlet);
    try {
      await outlet?.deliver([letter.event]);
    } catch (error) {
      if (!isCheckpointError(error)) throw error;
      project.notices.warning(`${letter.outlet}: ${error.message}`);
      continue;
    }
    // One whose outlet is not configured any more has nowhere to go.
    await dropDead(project, letter);
    sent += outlet === undefined ? 0 : 1;
  }
  return { sent, left: (await readDead(project)).length };
}

const openOnce = (project: Project) =>
  openWorld(project, {
    signal: new AbortController().signal,
    wait: () => Promise.resolve(),
    tell: (line) => project.notices.message(line),
  });
