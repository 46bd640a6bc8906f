import { writeFileSync } from "node:fs";
import { EXIT_STATUS } from "../../../core/errors.ts";
import { parseAnchor } from "../ledger/anchor.ts";
import * as verbs from "../verbs/ledger.ts";
import { unfinishedWords } from "../../../work/project/gate.ts";
import { vaultOf } from "../verbs/vault.ts";
import { parseSince } from "../../../work/project/reading/parse-since.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { GovernanceCommand } from "../verbs.ts";
import { vaultSigner } from "./signing.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { readNamed } from "../../../work/terminal/read-named.ts";
import { count } from "../../../work/state/words.ts";

export const ledger: GovernanceCommand<"ledger"> = async (context, options, output) => {
  const { agent, type, limit = 20 } = options;
  const since =
    options.since === undefined ? undefined : parseSince(options.since, context.now()).toISOString();
  const entries = await verbs.ledger(context.project, { agent, type, since, limit });
  const rows = entries.map(({ number, trail, entry, problem, refused_again = 0 }) => {
    const place = oneLine(placeOf(number, trail));
    if (problem !== undefined) return [place, "", "", "", output.style.red(problem)];
    const { at, agent: who, type: kind, ...rest } = entry;
    const again = refused_again === 0 ? "" : `, and again ${count(refused_again, "time")}`;
    return [place, textFrom(at), textFrom(kind), oneLine(textFrom(who)), oneLine(about(rest)) + again];
  });
  output.list({ entries }, rows, "The ledger has no such entries.");
};

const SHOWN = [
  "action",
  "what",
  "reason",
  "request",
  "id",
  "start",
  "evidence",
  "from",
  "to",
  "task",
  "status",
] as const;

/** An entry's number in its chain. */
const placeOf = (number: number, trail?: string) =>
  trail === undefined ? String(number) : `${number} of ${trail}`;

const textFrom = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function about(entry: Readonly<Record<string, unknown>>): string {
  return SHOWN.flatMap((name) =>
    entry[name] === undefined ? [] : [`${name} ${textFrom(entry[name])}`],
  ).join(", ");
}

export const ledgerVerify: GovernanceCommand<"ledger verify"> = async (context, { anchor }, output) => {
  const anchors = anchor === undefined ? [] : [parseAnchor(await readNamed(context, anchor))];
  const { problem, ...report } = await verbs.ledgerVerify(context.project, anchors);
  const wrong = [
    ...(problem === undefined
      ? []
      : [`Entry ${oneLine(placeOf(problem.entry, problem.trail))}: ${problem.what}.`]),
    ...report.forged.map(
      ({ number, trail, agent, what }) =>
        `Entry ${oneLine(placeOf(number, trail))} was forged (${oneLine(agent)}): ${oneLine(what)}. It changed nothing.`,
    ),
  ];
  const isWhole = wrong.length === 0;
  output.result({ ok: isWhole, problem: problem ?? null, ...report }, () =>
    isWhole
      ? `The ledger is intact: ${count(report.entries, "entry", "entries")}, ${count(report.seals, "seal")}.`
      : wrong.map(output.style.red).join("\n"),
  );
  for (const start of report.unfinished) output.warning(unfinishedWords(start));
  output.message(report.limits);
  return isWhole ? 0 : EXIT_STATUS.corrupt;
};

export const ledgerAnchor: GovernanceCommand<"ledger anchor"> = async (context, options, output) => {
  const signer = options.vault === undefined ? undefined : await vaultSigner(context, options.vault);
  const anchor = await verbs.ledgerAnchor(context.project, signer);
  put(
    options.output,
    `${JSON.stringify(anchor, null, 2)}\n`,
    { number: anchor.number, hash: anchor.hash },
    output,
  );
};

export const ledgerExport: GovernanceCommand<"ledger export"> = async (context, options, output) => {
  const lines: string[] = [];
  for await (const line of await verbs.ledgerExport(context.project)) lines.push(line);
  const text = lines.join("");
  const written =
    options.vault === undefined
      ? text
      : `${await vaultOf(context).encrypt(options.vault, Buffer.from(text))}\n`;
  put(options.output, written, { entries: lines.length - 2 }, output);
};

/** To a file with what it is about, or as it is to stdout. */
export function put(path: string | undefined, text: string, document: object, output: Output): void {
  if (path === undefined) return output.raw(text);
  writeFileSync(path, text, { mode: 0o600, flush: true });
  output.result({ path, ...document }, `Written: ${path}`);
}
