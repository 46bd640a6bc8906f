import { cachedReader, diffCheckpoints } from "../../state/diff-checkpoints.ts";
import { isEmpty } from "../../state/work-diff.ts";
import { findPair } from "../../../core/trails/find-checkpoint.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { readTrail } from "../choose-trail.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { READING } from "./verbs.ts";

/** What changed between two checkpoints, in the terms of the work. */
export async function diff(project: Project, { trail: named, ...pair }: InputOf<(typeof READING)["diff"]>) {
  const { cairn, trail } = await readTrail(project, named, pair.to);
  const { from, to } = await findPair(cairn.store, trail.name, pair);
  const read = await cachedReader(cairn.store, [from.root, to.root]);
  const changes = await diffCheckpoints(from, to, read).catch(async (error: unknown) => {
    // Loading them tells which of the two is damaged.
    if (isCheckpointError(error, "corrupt"))
      for (const { info } of [from, to]) await trail.load(info.content_hash);
    throw error;
  });
  return { from: from.info, to: to.info, changed: !isEmpty(changes), changes };
}
