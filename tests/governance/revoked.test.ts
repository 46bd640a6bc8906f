import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keyFingerprint } from "../../src/capabilities/governance/keys/signature.ts";
import {
  agentList,
  agentRegister,
  agentRevoke,
  authorityShow,
  authorityTrust,
  ledger,
  now,
  push,
  remoteAdd,
  type Project,
} from "../../src/doors/library/project.ts";
import { VERBS } from "../doors/verbs.ts";
import { Governed, refusedWith } from "./support/governed.ts";

let box: Governed;
beforeEach(() => {
  box = new Governed({ config: "" });
});
afterEach(() => box.remove());

/** What is not refused, and why. A new verb that writes or sends something must ask the gate instead. */
const NOT_REFUSED: Readonly<Record<string, string>> = {
  "it only looks":
    "constraintList decisionList taskList load list log diff status summary unfinished sessions runs resumePlan runLogs artifacts timeline questions usage verify tags trails remotes remoteShow governanceReport gate health agentList agentShow authorityShow policyShow policyCheck ledger ledgerVerify evidenceList vaultPoliciesFor mirrorList bugs explain search files filesDiff filesShow filesLog schedule metrics integrationsDead",
  "there is nothing new that it could commit": "pull progressScan",
  "the authority's key decides, whoever types": "agentPromote agentRestore authorityRotate policyAccept",
};
const mayGo = (name: string) => Object.values(NOT_REFUSED).some((names) => names.split(" ").includes(name));

describe("a revoked agent", () => {
  it.each(Object.keys(VERBS))("%s", async (name) => {
    const verb = VERBS[name]!;
    await verb.before?.(box.as("tester"));
    writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
    await now(box.as(), {});
    if (!(await agentList(box.as())).some(({ agent }) => agent === "gone"))
      await agentRegister(box.as(), "gone");
    await agentRevoke(box.as(), { agent: "gone", reason: "test" });
    const answer = await refusedWith(() => verb.library(box.as("gone")));
    expect({ name, answer }).toEqual({ name, answer: mayGo(name) ? "allowed" : "refused" });
  });
});

it("a revoked agent cannot have another ledger accepted, and a wrong fingerprint changes nothing", async () => {
  writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
  const authority = keyFingerprint((await box.found()).publicKey);
  const gone = await box.agent("gone", 3);
  await agentRevoke(box.as(), { agent: "gone", reason: "test" });
  await box.close();
  const trust = (project: Project, fingerprint: string) =>
    refusedWith(() => authorityTrust(project, fingerprint));
  expect(await trust(box.as("gone", gone), authority)).toBe("refused");
  expect(await trust(box.as(), "0".repeat(32))).toBe("not-found");
  await box.close();
  expect(await authorityShow(box.as())).toMatchObject({ keys: [authority] });
  expect(await trust(box.as(), authority)).toBe("allowed");
  const recorded = (await ledger(box.as(), {})).map(({ entry }) => [entry["agent"], entry["type"]]);
  expect(recorded.slice(-2)).toEqual([
    ["gone", "violation"],
    ["person", "action"],
  ]);
});

it("what is recorded about a push is no news to push", async () => {
  writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
  const terminal = { ...box.as(), actor: { ...box.as().actor, isAtTerminal: () => true } };
  await now(terminal, {});
  await remoteAdd(terminal, { name: "origin", url: `file://${join(box.home, "share")}` });
  const outcomes = async () =>
    (await push(box.as(), {})).trails.map(({ trail, outcome }) => [trail, outcome]);
  expect(await outcomes()).toEqual([["main", "pushed"]]);
  expect(await outcomes()).toEqual([]);
});
