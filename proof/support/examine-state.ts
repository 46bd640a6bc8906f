import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeAuthorityKey, openAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { agentPromote, agentRegister } from "../../src/capabilities/governance/verbs/agents.ts";
import { authorityInit, authorityShow } from "../../src/capabilities/governance/verbs/authority.ts";
import { ledgerVerify } from "../../src/capabilities/governance/verbs/ledger.ts";
import { openProject, type Project } from "../../src/doors/library/project.ts";
import { isRemembered } from "../../src/work/project/remembered.ts";
import { keyText } from "../../src/capabilities/sync/remotes/keys.ts";
import { factsOf, LIGHT, PASSPHRASE, type KeyKept } from "../../tests/faults/programs/kept-keys.ts";

/** Uses what a crash left of one turn as its user would: all that was acknowledged is there, and the authority can sign. */
export async function examineState(home: string, kept: readonly KeyKept[]): Promise<string[]> {
  mkdirSync(join(home, "project"), { recursive: true });
  const config = join(home, "project/cairn.yaml");
  if (!existsSync(config)) writeFileSync(config, "governance: on\n");
  const project = openProject({ path: join(home, "project"), env: { HOME: home } });
  try {
    return [...(await missing(project, kept)), ...(await unable(project, kept))];
  } catch (error) {
    return [`unusable: ${String(error)}`];
  } finally {
    await project.stores.close().catch(() => undefined);
  }
}

async function missing(project: Project, kept: readonly KeyKept[]): Promise<string[]> {
  const problems: string[] = [];
  for (const message of kept) {
    if (message.did === "remember" && !isRemembered(project, factsOf(message.turn)))
      problems.push("what was remembered is forgotten");
    if (message.did === "key") await keyText(project, message.id);
    if (message.did !== "init" && message.did !== "rotate") continue;
    const { keys, machine_key } = await authorityShow(project);
    if (!message.keys.every((key, index) => keys[index] === key))
      problems.push(`the ledger names ${keys.join(", ")}, not ${message.keys.join(", ")}`);
    if (machine_key !== message.machine) problems.push("the machine has another key");
  }
  return problems;
}

/** Whatever was acknowledged: the key that the ledger names is here, and signs. */
async function unable(project: Project, kept: readonly KeyKept[]): Promise<string[]> {
  const owner = { env: project.env, userId: project.machine.userId };
  const { keys } = await authorityShow(project);
  if (keys.length === 0) await authorityInit(project, async () => makeAuthorityKey(owner, PASSPHRASE, LIGHT));
  const agent = kept.some(({ did }) => did === "register") ? "bot" : "another";
  if (agent !== "bot") await agentRegister(project, agent);
  const signing = async (key: string | undefined) => openAuthorityKey(owner, PASSPHRASE, String(key));
  const { entry } = await agentPromote(project, { agent, to: 2 }, signing);
  const { problem, forged } = await ledgerVerify(project, []);
  return [
    ...(entry === null ? ["nobody signed"] : []),
    ...(problem === undefined ? [] : [`entry ${problem.entry}: ${problem.what}`]),
    ...forged.map(({ what }) => `forged: ${what}`),
  ];
}
