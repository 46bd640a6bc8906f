import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keyFingerprint } from "../../src/governance/keys/signature.ts";
import { agentList, agentRegister, agentRevoke, now, push, remoteAdd } from "../../src/project/index.ts";
import { authorityShow, authorityTrust } from "../../src/project/governance/authority.ts";
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
    "constraintList decisionList taskList load list log diff status summary unfinished sessions runs resumePlan runLogs artifacts timeline questions usage verify tags trails remotes remoteShow governanceReport gate health agentList agentShow authorityShow policyShow policyCheck ledger ledgerVerify evidenceList vaultPoliciesFor mirrorList",
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

describe("what was known of the ledger", () => {
  const pinned = async () => {
    writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
    const { publicKey } = await box.found();
    await now(box.as(), {});
    const { pin } = await authorityShow(box.as());
    return { pin: () => readFileSync(pin!, "utf8"), fingerprint: keyFingerprint(publicKey) };
  };

  it("is not for an agent to forget, revoked or not", async () => {
    const { pin, fingerprint } = await pinned();
    const before = pin();
    await agentRegister(box.as(), "gone");
    for (const step of [undefined, () => agentRevoke(box.as(), { agent: "gone", reason: "test" })]) {
      await step?.();
      expect(await refusedWith(() => authorityTrust(box.as("gone"), fingerprint))).toBe("refused");
    }
    expect(JSON.parse(pin())).toMatchObject({ authority: JSON.parse(before).authority });
  });

  it("is still known after an authority that the ledger does not name", async () => {
    const { pin } = await pinned();
    const before = pin();
    await expect(authorityTrust(box.as(), "0".repeat(64))).rejects.toMatchObject({ code: "not-found" });
    expect(pin()).toBe(before);
  });
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
