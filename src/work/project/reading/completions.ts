import { infoOrDamage } from "../../../core/trails/document.ts";
import { listTags } from "../../../core/trails/tags.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { findPart } from "../capability.ts";
import { chooseTrail } from "../choose-trail.ts";
import { hasStore } from "../find-project.ts";
import type { Project } from "../project.ts";

export interface CompletionsInput {
  readonly what: "checkpoints" | "trails" | "runs" | "steps";
  /** For steps: the run. */
  readonly run?: string | undefined;
}

const MOST = 50;

/** The words that can stand in this place. Nothing at all where something is wrong: who presses Tab wants no error. */
export async function completions(project: Project, { what, run }: CompletionsInput): Promise<string[]> {
  try {
    return hasStore(project) ? await wordsFor(project, what, run) : [];
  } catch (error) {
    if (isCheckpointError(error)) return [];
    throw error;
  }
}

async function wordsFor(
  project: Project,
  what: CompletionsInput["what"],
  run: string | undefined,
): Promise<string[]> {
  const cairn = await project.stores.open(project, "read");
  if (what === "trails") return (await cairn.trails()).map(({ name }) => name);
  if (what === "runs") return (await findPart(project, "runs"))?.ids(cairn) ?? [];
  if (what === "steps")
    return run === undefined ? [] : ((await findPart(project, "runs"))?.steps(cairn, run) ?? []);
  const { name } = chooseTrail(project, undefined);
  const stored = await cairn.store.history(name, { limit: MOST });
  const tags = (await listTags(cairn.store)).map((tag) => tag.name);
  return [...stored.map((each) => infoOrDamage(each).checkpoint_id), "@", ...tags];
}
