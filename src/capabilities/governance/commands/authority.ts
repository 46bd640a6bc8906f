import { CheckpointError } from "../../../core/errors.ts";
import { authorityKeys, makeAuthorityKey, openAuthorityKey } from "../keys/authority-file.ts";
import { signStatement, type Statement } from "../gate/authority.ts";
import * as verbs from "../verbs/authority.ts";
import { asRecord, own, parseJson } from "../../../core/text/untrusted.ts";
import type { GovernanceCommand } from "../verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { noAuthority, ownerOf, passphrases, signerOf, vaultSigner } from "./signing.ts";
import { count } from "../../../work/state/words.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { readNamed } from "../../../work/terminal/read-named.ts";

export const authorityShow: GovernanceCommand<"authority show"> = async (context, _options, output) => {
  show(await verbs.authorityShow(context.project), output);
};

function show(report: verbs.AuthorityReport, output: Output): void {
  const { keys, statements, machine_key } = report;
  output.result(report, () =>
    [
      keys.length === 0
        ? "No authority yet: no agent can rise above T1. To create one: checkpoint authority init"
        : `authority ${keys.join(", then ")}, ${count(statements, "statement")}`,
      `machine   ${machine_key}`,
    ].join("\n"),
  );
}

export const authorityInit: GovernanceCommand<"authority init"> = async (context, options, output) => {
  const make = async () => {
    if (options.vault !== undefined) return vaultSigner(context, options.vault);
    const [passphrase = ""] = await passphrases(context, options, output, ["New passphrase: "]);
    return makeAuthorityKey(ownerOf(context), passphrase);
  };
  show(await verbs.authorityInit(context.project, make), output);
};

export const authorityRotate: GovernanceCommand<"authority rotate"> = async (context, options, output) => {
  const questions = ["Present passphrase: ", "New passphrase: "];
  const [present = "", next = ""] = await passphrases(context, options, output, questions);
  const current = async (key: string | undefined) => {
    if (key === undefined) throw noAuthority();
    return openAuthorityKey(ownerOf(context), present, key);
  };
  const make = async () => makeAuthorityKey(ownerOf(context), next);
  show(await verbs.authorityRotate(context.project, current, make), output);
};

export const authorityTrust: GovernanceCommand<"authority trust"> = async (context, options, output) => {
  show(await verbs.authorityTrust(context.project, options.fingerprint), output);
};

export const authoritySign: GovernanceCommand<"authority sign"> = async (context, options, output) => {
  const statement = await readStatement(context, options.file);
  const signer = await signerOf(context, options, output, statement.key ?? onlyKey(context));
  const signed = await signStatement(statement, signer);
  output.result(signed, () => JSON.stringify(signed, null, 2));
};

export const authoritySubmit: GovernanceCommand<"authority submit"> = async (context, options, output) => {
  const entry = await verbs.authoritySubmit(context.project, await readStatement(context, options.file));
  output.result({ entry }, `Recorded: ${entry.type} of ${entry.agent}.`);
};

/** What an earlier version printed does not name the key that has to sign it. */
function onlyKey(context: Context): string {
  const [only, ...others] = authorityKeys(ownerOf(context));
  if (only !== undefined && others.length === 0) return only;
  const why = only === undefined ? "there is none here" : `there are ${others.length + 1} here`;
  throw new CheckpointError("usage", `The statement does not name an authority key, and ${why}.`, {
    hint: 'Print it again with --unsigned: it then names its "key".',
  });
}

/** What `--json` printed holds the statement as one of its fields. */
async function readStatement(context: Context, file: string): Promise<Statement> {
  const read = parseJson(await readNamed(context, file));
  const statement = asRecord(own(read, "unsigned") ?? read);
  if (statement === undefined)
    throw new CheckpointError("usage", `"${file}" holds no statement.`, {
      hint: "Give what --unsigned printed, or what checkpoint authority sign made of it.",
    });
  return statement as unknown as Statement;
}
