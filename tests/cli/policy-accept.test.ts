import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { authorityInit, openProject, policyAccept } from "../../src/doors/library/project.ts";
import { Sandbox } from "./support/sandbox.ts";

const PASSPHRASE = "correct horse battery";

let box: Sandbox;
beforeEach(async () => {
  box = new Sandbox();
  box.write("cairn.yaml", "governance: on\n");
  box.write("pass", `${PASSPHRASE}\n`);
  const env = { HOME: box.home };
  const project = openProject({ path: box.folder, env });
  const owner = { env, userId: process.geteuid?.() };
  await authorityInit(project, async () => makeAuthorityKey(owner, PASSPHRASE, { N: 1024, r: 8, p: 1 }));
  await project.stores.close();
});
afterEach(() => box.remove());

const POLICY = `actions:
  - { match: "exec.*", tier: 0 }
  - { match: "look.*", tier: 0 }
  - { match: "save", tier: 0 }
`;

describe("policy accept", () => {
  it("shows what changes and signs nothing without a yes", () => {
    box.write("cairn.policy.yaml", POLICY);
    const { status, stderr } = box.run(["policy", "accept", "--passphrase-file", "pass"]);
    expect(status).toBe(4);
    expect(stderr).toContain("  + action match: exec.*, tier: 0\n");
    expect(stderr).toContain("  - action match: infra.*, tier: 3, risk: high, approval: authority\n");
    expect(stderr).toContain("hint: Read the changes, then: checkpoint policy accept --yes");
    expect(box.run(["policy", "show"]).stderr).toContain("built-in");
    expect(box.run(["policy", "accept", "--json", "--passphrase-file", "pass"]).status).toBe(4);
  });

  it("puts into force what was shown, with a yes", () => {
    box.write("cairn.policy.yaml", POLICY);
    const { status, stdout } = box.run(["policy", "accept", "--yes", "--json", "--passphrase-file", "pass"]);
    expect(status).toBe(0);
    const { changes } = JSON.parse(stdout) as { changes: { kind: string; line: string }[] };
    expect(changes).toContainEqual({ kind: "added", line: "action match: exec.*, tier: 0" });
    expect(box.run(["policy", "show"]).stderr).toContain("accepted");
    expect(box.run(["policy", "accept", "--yes", "--passphrase-file", "pass"]).stderr).toContain(
      "The file says what is in force already.",
    );
  });

  it("signs what was confirmed, whatever the file says by then", async () => {
    box.write("cairn.policy.yaml", POLICY);
    const env = { HOME: box.home };
    const project = openProject({ path: box.folder, env });
    const owner = { env, userId: process.geteuid?.() };
    const { openAuthorityKey } = await import("../../src/capabilities/governance/keys/authority-file.ts");
    const accepted = await policyAccept(
      project,
      async (key) => openAuthorityKey(owner, PASSPHRASE, String(key)),
      async () => {
        writeFileSync(join(box.folder, "cairn.policy.yaml"), 'actions: [{ match: "*", tier: 0 }]\n');
        return true;
      },
    );
    expect(accepted?.policy.actions[0]).toEqual({ match: "exec.*", tier: 0 });
    expect(
      await policyAccept(
        project,
        async () => undefined as never,
        async () => false,
      ),
    ).toBeUndefined();
    await project.stores.close();
  });
});

describe("ledger verify", () => {
  it("ends with status 5 and names the entry that was forged", () => {
    expect(box.run(["ledger", "verify"]).status).toBe(0);
    const number = forge({
      type: "promotion",
      at: "2026-01-01T00:00:00.000Z",
      agent: "mallory",
      from: 0,
      to: 4,
      by: "authority",
    });
    const { status, stdout } = box.run(["ledger", "verify"]);
    expect(status).toBe(5);
    expect(stdout).toContain(`Entry ${number} was forged (mallory): promotion: `);
    const { ok, forged } = JSON.parse(box.run(["ledger", "verify", "--json"]).stdout) as {
      ok: boolean;
      forged: { number: number }[];
    };
    expect({ ok, numbers: forged.map((entry) => entry.number) }).toEqual({ ok: false, numbers: [number] });
  });
});

/** Appends an entry with a right hash, as whoever can write to the file can. */
function forge(entry: object): number {
  const database = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
  const last = database.prepare("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1").get() as {
    number: number;
    hash: string | Uint8Array;
  };
  const before = typeof last.hash === "string" ? last.hash : Buffer.from(last.hash).toString("hex");
  const text = JSON.stringify(entry);
  const hash = createHash("sha256").update(`${before}\n${text}`).digest();
  const number = last.number + 1;
  database
    .prepare("INSERT INTO log (number, hash, entry) VALUES (?, ?, ?)")
    .run(number, typeof last.hash === "string" ? hash.toString("hex") : hash, text);
  database.close();
  return number;
}
