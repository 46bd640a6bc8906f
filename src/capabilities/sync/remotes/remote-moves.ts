import { isObjectId } from "../../../core/objects/object-id.ts";
import { listenForMoves } from "../latest.ts";
import type { Project } from "../../../work/project/project.ts";
import { connect } from "./connect.ts";
import { chooseRemote } from "./known-remotes.ts";
import { cacheOf } from "./remote-show.ts";

export interface RemoteMoves {
  end(): void;
}

/**
 * Tells when another machine pushed something, as the cache hears it: what was shown or pulled before may be old now.
 * Without a cache nobody is told, and one that fails may not tell of everything: look now and then in any case.
 */
export async function onRemoteMoved(
  project: Project,
  { remote }: { readonly remote?: string | undefined },
  told: () => void,
): Promise<RemoteMoves> {
  const { store } = await project.stores.open(project, "read");
  const known = await chooseRemote(project, store, remote);
  const cache = await cacheOf(project, known, await connect(project, known));
  if (cache === undefined) return { end: () => undefined };
  // What this machine pushed itself, or has pulled already, is no news.
  const isHere = async (head: string) => isObjectId(head) && (await store.readObjects([head])).size > 0;
  const tellIfNew = async (head: string) => (await isHere(head)) || told();
  return listenForMoves(cache, (head) => void tellIfNew(head).catch(told));
}
