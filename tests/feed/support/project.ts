import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import type { Store } from "../../../src/core/store/contract.ts";
import {
  openFeed,
  openProject,
  type FeedEvent,
  type FeedOptions,
} from "../../../src/doors/library/project.ts";
import type { Project } from "../../../src/work/project/project.ts";

/** Makes projects in folders of their own, which are gone after each test. */
export function useProjects(): () => Project {
  const made: Project[] = [];
  afterEach(async () => {
    for (const { stores, root } of made.splice(0)) {
      await stores.close();
      rmSync(dirname(root), { recursive: true, force: true });
    }
  });
  return () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-feed-")));
    const root = join(home, "project");
    mkdirSync(root);
    const project = openAt(root);
    made.push(project);
    return project;
  };
}

export const openAt = (root: string): Project => openProject({ path: root, env: { HOME: dirname(root) } });

/** Everything that a feed tells now. */
export async function told(project: Project, options: FeedOptions = {}): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for await (const event of await openFeed(project, options)) events.push(event);
  return events;
}

export const types = (events: readonly FeedEvent[]): string[] => events.map(({ type }) => type);

export const notesIn = (events: readonly FeedEvent[]): (string | null)[] =>
  events.flatMap((event) => (event.kind === "commit" ? [event.checkpoint.notes] : []));

/** Commits with these notes, to one trail. */
export async function commitAll(project: Project, notes: readonly string[], trail = "main"): Promise<void> {
  const cairn = await project.stores.open(project, "create");
  for (const each of notes)
    await cairn.trail(trail).commit((state) => void (state.goal = each), { notes: each });
}

export const storeOf = async (project: Project): Promise<Store> =>
  (await project.stores.open(project, "write", null)).store;
