// Commits to a trail that others commit to as well, and to one of its own:
// node contender.mjs <folder> <own> <count> [reopen | whole]. With reopen it opens and closes the store for each commit;
// with whole it commits whole states, and starts again from the newest one when somebody was quicker.
import { isCheckpointError, openCairn, type Trail } from "../../../src/doors/library/index.ts";
import { exitStatusOf, failureOf, say, type Failure } from "./say.ts";
import { advance, NO_WORK, type Work } from "./work.ts";

export type Claim =
  | { readonly trail: string; readonly step: number; readonly hash: string; readonly conflicts: number }
  | { readonly failure: Failure };

const [folder = "", own = "", count = "0", mode] = process.argv.slice(2);
try {
  // Nobody made the store before: the contenders race for that too.
  let cairn = await openCairn({ path: folder });
  let trails = ["shared", own].map((name) => cairn.trail<Work>(name, { initial: NO_WORK }));
  for (let left = Number(count); left > 0; left--) {
    for (const trail of trails) await (mode === "whole" ? claimWhole(trail) : claim(trail));
    if (mode !== "reopen") continue;
    await cairn.close();
    cairn = await openCairn({ path: folder });
    trails = ["shared", own].map((name) => cairn.trail<Work>(name, { initial: NO_WORK }));
  }
  await cairn.close();
} catch (error) {
  const failure = failureOf(error);
  say({ failure } satisfies Claim);
  process.exitCode = exitStatusOf(failure);
}

async function claimWhole(trail: Trail<Work>): Promise<void> {
  for (let conflicts = 0; ; conflicts++) {
    const work = (await trail.head()) === undefined ? NO_WORK : (await trail.load()).state;
    const next = advance(work);
    try {
      const { content_hash } = await trail.commit(next);
      say({ trail: trail.name, step: next.step, hash: content_hash, conflicts } satisfies Claim);
      return;
    } catch (error) {
      if (!isCheckpointError(error, "conflict")) throw error;
    }
  }
}

async function claim(trail: Trail<Work>): Promise<void> {
  let step = 0;
  const { content_hash } = await trail.commit((work) => {
    const next = advance(work);
    step = next.step;
    return next;
  });
  say({ trail: trail.name, step, hash: content_hash, conflicts: 0 } satisfies Claim);
}
