import type { Store } from "../../../core/store/contract.ts";
import { filesOf, type Snapshot } from "../snapshot/snapshots.ts";
import type { FileTree } from "../tree/tree.ts";
import { compare, type MomentFiles } from "./compare.ts";

/** Stands for a person, or a program that is no agent's session. */
export const PERSON = "you";

/** Stands for a rewind among those who changed files. */
export const REWOUND = "rewind";

/** Who changed a file, and when the last change was seen. */
export interface FileAuthors {
  /** Sessions, and `PERSON`. More than one where that cannot be known, or where several did. */
  readonly by: ReadonlySet<string>;
  readonly last: Pick<Snapshot, "by" | "turn" | "tools" | "why"> & { readonly session: string | null };
}

/** A moment among others: what is said of it, and its files. */
export interface SeenMoment extends Pick<Snapshot, "by" | "turn" | "tools" | "why" | "failed"> {
  readonly session: string | null;
  readonly moment: MomentFiles;
}

/** Who changed which file in these moments, oldest first: the first is what the changes are counted from. */
export async function authorsIn(
  tree: FileTree,
  moments: AsyncIterable<SeenMoment>,
): Promise<Map<string, FileAuthors>> {
  const authors = new Map<string, FileAuthors>();
  let before: SeenMoment | undefined;
  let missed: string[] = [];
  for await (const seen of moments) {
    const by = seen.by.length === 0 ? [PERSON] : seen.by;
    if (before && seen.failed !== null) {
      missed = [...missed, ...by];
      continue;
    }
    for (const { path } of before ? await compare(tree, before.moment, seen.moment) : []) {
      const known = authors.get(path)?.by ?? [];
      const all = [...known, ...missed, ...by].filter((each) => each !== REWOUND);
      authors.set(path, { by: new Set(all), last: seen });
    }
    [before, missed] = [seen, []];
  }
  return authors;
}

/** Snapshots as moments, each with its files; oldest first. */
export async function* momentsOf(store: Store, snapshots: readonly Snapshot[]): AsyncGenerator<SeenMoment> {
  for (const snapshot of snapshots) {
    const { by, turn, tools, why, failed, info } = snapshot;
    const moment = await momentAt(store, snapshot);
    yield { by, turn, tools, why, failed, moment, session: info.session_id };
  }
}

/** A snapshot's files, and the commit that the others are as. */
export const momentAt = async (store: Store, snapshot: Snapshot): Promise<MomentFiles> => ({
  head: snapshot.head,
  files: await filesOf(store, snapshot),
});
