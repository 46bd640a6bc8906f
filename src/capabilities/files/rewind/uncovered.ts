import type { Store } from "../../../core/store/contract.ts";
import { type FileChange, readBlobs } from "../compare/compare.ts";
import { contentOf } from "../compare/content.ts";
import type { LookedTree } from "../look/look.ts";
import { type IgnoreRule, isIgnored, rulesIn } from "../look/walk.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";

/**
 * Files that are in no snapshot of a moment although they may have been there: in a repository inside, or ignored by a
 * `.gitignore` as it was then. By path, with the reason.
 */
export async function findUncovered(
  scene: { readonly tree: LookedTree; readonly store: Store },
  changes: readonly FileChange[],
  moments: readonly Snapshot[],
): Promise<Map<string, string>> {
  const repositories = moments.flatMap((moment) => moment.repositories.map(({ path }) => path));
  const rules = await rulesThen(scene, changes);
  const found = new Map<string, string>();
  for (const { path, to } of changes) {
    const levels = path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"));
    if (repositories.some((each) => levels.includes(each))) found.set(path, "in a repository inside");
    else if (to.kind === "absent" && levels.some((each) => isIgnored(rules, each, each !== path)))
      found.set(path, "it was ignored then");
  }
  return found;
}

/** What those `.gitignore` files said then that say something else now. */
async function rulesThen(
  { tree, store }: { readonly tree: LookedTree; readonly store: Store },
  changes: readonly FileChange[],
): Promise<IgnoreRule[]> {
  const rules: IgnoreRule[] = [];
  const changed = changes.filter(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  const blobs = await readBlobs(
    tree,
    changed.map(({ path, to }) => ({ path, side: to })),
  );
  for (const { path, to } of changed) {
    const content = to.kind === "stored" ? await contentOf(store, to.version) : blobs.get(path);
    rules.push(...rulesIn(content?.toString("utf8") ?? "", path.slice(0, -".gitignore".length)));
  }
  return rules;
}
