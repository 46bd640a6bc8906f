// Saves in a governed project until it is killed, and says what was acknowledged: node governed-writer.mjs <home> <agent> <trail> [store]
import { join } from "node:path";
import { now } from "../../../src/work/project/saving/now.ts";
import { openProject } from "../../../src/doors/library/open-project.ts";
import { say } from "./say.ts";

export interface Acknowledged {
  readonly hash: string;
}

const [home = "", agent = "", trail, CHECKPOINT_STORE] = process.argv.slice(2);
const project = openProject({ path: join(home, "project"), agent, env: { HOME: home, CHECKPOINT_STORE } });
for (let step = 0; ; step++) {
  const { checkpoint } = await now(project, { trail, variables: { step: String(step) } });
  say({ hash: checkpoint?.content_hash });
}
