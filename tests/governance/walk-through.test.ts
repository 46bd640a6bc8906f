import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { POLICY_FILE } from "../../src/capabilities/governance/policy/policy.ts";
import { readPolicyFile } from "../../src/capabilities/governance/policy/read-policy.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/governance.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text);

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cairn-walk-"));
  folder = join(home, "project");
  mkdirSync(folder);
  mkdirSync(join(home, "bin"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const program = (name: string, line: string) => {
  writeFileSync(join(home, "bin", name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(home, "bin", name), 0o755);
};

function sh(script: string) {
  const env = { HOME: home, PATH: `${join(home, "bin")}:${process.env["PATH"]}`, NO_COLOR: "1" };
  return spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: folder, env, encoding: "utf8" });
}

const TOOLS = ["terraform", process.env["CAIRN_TEST_TOFU"] ?? "tofu"];

describe("docs/governance.md", () => {
  for (const tool of TOOLS) {
    const isMissing = spawnSync(tool, ["version"]).status !== 0;
    if (isMissing) console.log(`skipped: ${tool} is not installed`);
    it.skipIf(isMissing)(
      `walks from T0 to the auditor, with ${tool.replace(/.*\//, "")}`,
      { timeout: 180_000 },
      () => {
        program(
          "checkpoint",
          `exec ${process.execPath} ${join(import.meta.dirname, "../../bin/checkpoint.js")} "$@"`,
        );
        program("node", `exec ${process.execPath} "$@"`);
        if (tool !== "terraform") program("terraform", `exec ${tool} "$@"`);
        writeFileSync(join(home, "passphrase"), "correct horse battery staple\n");
        writeFileSync(join(folder, "main.tf"), 'resource "terraform_data" "app" { input = "v1" }\n');
        writeFileSync(join(folder, "check-ledger.mjs"), blocks("js")[0] as string);
        mkdirSync(join(folder, "important"));
        const { stdout, stderr, status } = sh(blocks("sh").join("\n"));
        expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
        for (const words of [
          "status 4: T0 may not",
          "builder  T1 work",
          "status 4: it needs approval",
          "Approved, once, within a day: req-",
          "Apply complete! Resources: 1 added",
          "status 4: another plan",
          "status 4: T1 may not run commands",
          "status 4: revoked",
          "The ledger is intact",
        ])
          expect(stdout).toContain(words);
        expect(stdout).toMatch(/whole: \d+ entries, 0 forged, authority [0-9a-f]{32}/);
        expect(spawnSync("test", ["-d", join(folder, "important")]).status).toBe(0);
        const isSeen = (pattern: RegExp) => expect(stdout).toMatch(pattern);
        isSeen(/\d+ \S+ promotion builder to T1 by rule/);
        isSeen(/\d+ \S+ approval builder infra\.terraform\.apply signed/);
        isSeen(/\d+ \S+ action builder infra\.terraform\.apply/);
        isSeen(/\d+ \S+ violation builder exec\.rm/);
        isSeen(/\d+ \S+ revocation builder tried to delete things/);
        checkerSeesChanges(stdout);
        checkerSeesForgeries();
      },
    );
  }

  /** The script of the page notices every change of a line. */
  function checkerSeesChanges(output: string): void {
    const lines = readFileSync(join(folder, "ledger.jsonl"), "utf8").trim().split("\n");
    expect(output).toContain("whole");
    const named = lines.findIndex((line) => line.includes("builder"));
    expect(named).toBeGreaterThan(0);
    const changed: string[][] = [
      lines.filter((_, at) => at !== 3),
      lines.with(named, (lines[named] as string).replace("builder", "builded")),
      [...lines.slice(0, 3), lines[4] as string, lines[3] as string, ...lines.slice(5)],
      [...lines.slice(0, -2), lines.at(-1) as string],
    ];
    for (const each of changed) {
      writeFileSync(join(folder, "changed.jsonl"), `${each.join("\n")}\n`);
      expect(sh("node check-ledger.mjs changed.jsonl").status).toBe(1);
    }
  }

  /** And names what somebody who can write the chain, but cannot sign for the authority, has appended. */
  function checkerSeesForgeries(): void {
    const lines = readFileSync(join(folder, "ledger.jsonl"), "utf8").trim().split("\n");
    const [{ store }, ...entries] = lines.slice(0, -1).map((line) => JSON.parse(line));
    const { text: genuine } = entries.find(({ text }: { text: string }) => text.includes('"approval"'));
    const promotion = { type: "promotion", at: "2026", agent: "builder", from: 1, to: 4, by: "authority" };
    const [key, signature] = ["0".repeat(32), "AA=="];
    const foreign = {
      ...promotion,
      type: "authority",
      serial: 3,
      public_key: "x",
      authority: { key, signature },
    };
    for (const text of [JSON.stringify(promotion), JSON.stringify(foreign), genuine]) {
      const hash = createHash("sha256")
        .update(`${entries.at(-1).hash}\n${text}`)
        .digest("hex");
      entries.push({ number: entries.length + 1, hash, text });
    }
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const { number, hash } = entries.at(-1);
    const signed = sign(null, Buffer.from(`cairn/head@1\n${store}\n${number}\n${hash}`), privateKey);
    const public_key = publicKey.export({ format: "pem", type: "spki" });
    const head = { number, hash, public_key, signature: signed.toString("base64") };
    const forged = [{ store }, ...entries, { head }].map((line) => JSON.stringify(line));
    writeFileSync(join(folder, "forged.jsonl"), `${forged.join("\n")}\n`);
    const { stdout, status } = sh("node check-ledger.mjs forged.jsonl");
    expect({ status, forged: stdout.match(/FORGED$/gm)?.length }).toEqual({ status: 0, forged: 3 });
    expect(stdout).toContain(", 3 forged,");
  }

  it("shows a policy that can be accepted", () => {
    writeFileSync(join(folder, POLICY_FILE), blocks("yaml")[0] as string);
    expect(readPolicyFile(folder).policy.actions).toHaveLength(14);
  });
});
