// One machine of several: saves on a trail of its own and on one that all share, and syncs. Says what was acknowledged.
import { appendFileSync } from "node:fs";
import { isCheckpointError } from "../../../src/core/errors.ts";
import * as verbs from "../../../src/doors/library/project.ts";
import { thisMachine } from "../../../src/work/machine/this-machine.ts";

const [path = "", name = "", url = "", first = "0", last = "0", log = ""] = process.argv.slice(2);
const project = verbs.openProject({
  path,
  env: { HOME: path, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" },
  machine: { ...thisMachine, host: name },
});

const remotes = await verbs.remotes(project);
if (remotes.length === 0) await verbs.remoteAdd(project, { name: "origin", url });
for (let step = Number(first); step < Number(last); step++) {
  const trail = step % 2 === 0 ? "shared" : `own-${name}`;
  const { checkpoint } = await verbs.setVariable(project, {
    key: `${name}-${step}`,
    value: String(step),
    trail,
  });
  appendFileSync(log, `${step} ${checkpoint?.content_hash}\n`);
  if (step % 5 === 4) await syncOnce();
}
for (let round = 0; round < 3; round++) await syncOnce();
await project.stores.close();

/** Others are at it too: a push that lost too many races is repeated by the next round. */
async function syncOnce(): Promise<void> {
  try {
    await verbs.sync(project, { join: true });
  } catch (error) {
    if (!isCheckpointError(error, "conflict")) throw error;
  }
}
