import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publishedSchemas } from "../../scripts/schemas/publish.ts";
import { GOVERNANCE } from "../../src/capabilities/governance/verbs.ts";
import { makeAuthorityKey, openAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { authorityRotate, openProject } from "../../src/doors/library/project.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { violations } from "../cli/support/validate.ts";
import { FakeVault } from "./support/fake-vault.ts";

const PASSPHRASE = "correct horse battery";

/** Gives the authority a key that is quick to open: one that the command made takes half a second each time. */
async function lighten(box: Sandbox): Promise<void> {
  const env = { HOME: box.home };
  const owner = { env, userId: process.geteuid?.() };
  const project = openProject({ path: box.folder, env });
  const make = async () => makeAuthorityKey(owner, PASSPHRASE, { N: 1024, r: 8, p: 1 });
  await authorityRotate(project, async (key) => openAuthorityKey(owner, PASSPHRASE, String(key)), make);
  await project.stores.close();
}

it(
  "the published schemas describe what every command of governance prints",
  { timeout: 180_000 },
  async () => {
    const box = new Sandbox();
    const vault = new FakeVault();
    await vault.start();
    const schemas = publishedSchemas();
    const seen = new Set<string>();
    const check = async (...args: string[]): Promise<Record<string, unknown>> => {
      const env = { VAULT_ADDR: vault.address, VAULT_TOKEN: vault.token };
      const words = args.includes("--")
        ? args.toSpliced(args.indexOf("--"), 0, "--json")
        : [...args, "--json"];
      // The vault is in this process, which must not wait for the command without answering it.
      const needsVault = words.some((word) => /vault|health/.test(word));
      const { stdout, stderr } = needsVault ? await box.start(words, { env }).ended : box.run(words, { env });
      const document = JSON.parse(stdout || stderr) as Record<string, unknown>;
      const name = `${/^cairn\/(.*)@1$/.exec(String(document["schema"]))?.[1]}.json`;
      seen.add(name);
      expect({ args, wrong: violations(document, schemas.get(name) ?? false) }).toEqual({ args, wrong: [] });
      return document;
    };
    try {
      box.write("cairn.yaml", "governance: on\n");
      const pass = join(box.home, "pass");
      const both = join(box.home, "both");
      writeFileSync(pass, `${PASSPHRASE}\n`);
      writeFileSync(both, `${PASSPHRASE}\ncorrect horse stable\n`);
      const key = (await check("authority", "init", "--passphrase-file", pass))["keys"] as string[];
      await lighten(box);
      await check("authority", "show");
      await check("authority", "trust", key[0] as string);
      await check("agent", "register", "bot");
      await check("agent", "list");
      await check("agent", "show", "bot");
      const { unsigned } = await check("agent", "promote", "bot", "--to", "T2", "--unsigned");
      box.write("statement.json", JSON.stringify(unsigned));
      const signed = await check("authority", "sign", "statement.json", "--passphrase-file", pass);
      box.write("signed.json", JSON.stringify(signed));
      await check("authority", "submit", "signed.json");
      await check("agent", "promote", "bot", "--to", "3", "--passphrase-file", pass);
      await check("agent", "demote", "bot", "--to", "1", "--reason", "x");
      const { request } = await check("gate", "infra.x", "--agent", "bot");
      await check("agent", "approve", String(request), "--passphrase-file", pass);
      await check("agent", "revoke", "bot", "--reason", "x");
      await check("agent", "restore", "bot", "--to", "1", "--passphrase-file", pass);
      await check("policy", "show");
      await check("policy", "check", "exec.npm", "--tier", "1");
      await check("policy", "explain", "nonsense");
      box.write("cairn.policy.yaml", 'actions: [{ match: "*", tier: 0 }]\n');
      await check("policy", "accept", "--yes", "--passphrase-file", pass);
      const { evidence: id } = await check("exec", "--", "true");
      await check("evidence", "list");
      await check("evidence", "show", String(id));
      await check("evidence", "verify");
      await check("evidence", "export", String(id), "--output", "e.json");
      await check("ledger", "--limit", "5");
      await check("ledger", "verify");
      await check("ledger", "anchor", "--output", "a.json");
      await check("ledger", "verify", "--anchor", "a.json");
      await check("ledger", "anchor", "--vault", "cairn", "--output", "v.json");
      await check("ledger", "verify", "--anchor", "v.json");
      await check("ledger", "export", "--output", "l.jsonl", "--vault", "cairn");
      await check("authority", "rotate", "--passphrase-file", both);
      await check("health");
      await check("vault");
      await check("vault", "policies", "--apply");
      const commands = Object.entries(GOVERNANCE).filter(([, entry]) => !("command" in entry));
      const names = commands.map(([name]) => `${name.replaceAll(" ", "-")}.json`);
      expect(names.filter((name) => !seen.has(name))).toEqual([]);
    } finally {
      vault.stop();
      box.remove();
    }
  },
);
