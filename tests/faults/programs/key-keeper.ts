// Makes and changes what is in a user's state folder, and says what is done: node key-keeper.mjs <folder> <turns>
//
// Each turn has a home and a governed project of its own.
import { join } from "node:path";
import {
  makeAuthorityKey,
  openAuthorityKey,
} from "../../../src/capabilities/governance/keys/authority-file.ts";
import { agentRegister } from "../../../src/capabilities/governance/verbs/agents.ts";
import { authorityInit, authorityRotate } from "../../../src/capabilities/governance/verbs/authority.ts";
import { openProject } from "../../../src/doors/library/open-project.ts";
import { remember } from "../../../src/work/project/remembered.ts";
import { keepKey, makeKey } from "../../../src/capabilities/sync/remotes/keys.ts";
import { writePrivate } from "../../../src/core/store/write-private.ts";
import { factsOf, LIGHT, PASSPHRASE, type KeyKept } from "./kept-keys.ts";
import { say } from "./say.ts";

async function keepTurn(home: string, turn: number): Promise<void> {
  const env = { HOME: home };
  const owner = { env, userId: process.geteuid?.() };
  const project = openProject({ path: join(home, "project"), env });
  const make = async () => makeAuthorityKey(owner, PASSPHRASE, LIGHT);
  const current = async (key: string | undefined) => openAuthorityKey(owner, PASSPHRASE, String(key));
  const tell = (message: KeyKept) => say(message);
  const made = await authorityInit(project, make);
  tell({ did: "init", turn, keys: made.keys, machine: made.machine_key });
  remember(project, factsOf(turn));
  tell({ did: "remember", turn });
  tell({ did: "key", turn, id: keepKey(project, makeKey()) });
  const rotated = await authorityRotate(project, current, make);
  tell({ did: "rotate", turn, keys: rotated.keys, machine: rotated.machine_key });
  await agentRegister(project, "bot");
  tell({ did: "register", turn });
  await project.stores.close();
}

async function main(folder: string, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) {
    const home = join(folder, String(turn));
    // Durable, so that what is missing later is not the project itself.
    writePrivate(join(home, "project/cairn.yaml"), "governance: on\n");
    await keepTurn(home, turn);
  }
}

const [folder = "", turns = "1"] = process.argv.slice(2);
await main(folder, Number(turns));
