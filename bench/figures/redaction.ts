import { atLeast, atMost, type Figure, info, type Row } from "../figure.ts";
import { createRedactor } from "../library.ts";
import { ENCODINGS, survives } from "../redaction/encodings.ts";
import { slowest } from "../redaction/hostile.ts";
import { plainTexts } from "../redaction/plain-text.ts";
import { HELD_OUT_KEYS, HELD_OUT_PASSWORDS, TUNING } from "../redaction/drawn.ts";
import { familySamples } from "../redaction/families.ts";
import { OUTSIDERS } from "../redaction/outsiders.ts";
import { countOf, type Formats, HALVES, type Sample, samplesOf } from "../redaction/samples.ts";

const SEED = 2026;
/** What must be reached, by encoding; the others inform. */
const MUST: Readonly<Record<string, number>> = {
  plain: 97,
  "JSON string": 97,
  "own line": 95,
  colours: 95,
  base64: 95,
  "percent-encoded": 95,
};

export const redaction: Figure = {
  name: "redaction",
  title: `Redaction of held-out secrets: keys of ${countOf(HELD_OUT_KEYS)} services, drawn from public catalogues; in brackets ${countOf(HALVES.heldOut)} formats that one hand wrote with the rules`,
  measure: async ({ progress }) => {
    const { redactText } = createRedactor();
    const rows = Object.keys(ENCODINGS).map((name): Row => {
      progress.step(`redaction, ${name}`);
      const { percent, from } = caught(redactText, HELD_OUT_KEYS, name);
      const note = `${from} (${caught(redactText, HALVES.heldOut, name).percent.toFixed(1)} %)`;
      const must = MUST[name];
      return must === undefined
        ? info(`caught, ${name}`, `${percent.toFixed(1)} %`, note)
        : atLeast(`caught, ${name}`, percent, { must, unit: " %", digits: 1 }, note);
    });
    for (const [name, must] of Object.entries(MUST)) {
      const { percent: share, from: count } = caughtOf(redactText, OUTSIDERS, name);
      rows.push(
        atLeast(`caught, lists of outsiders, ${name}`, share, { must, unit: " %", digits: 1 }, count),
      );
    }
    const { percent, from: passwords } = caught(redactText, HELD_OUT_PASSWORDS, "plain");
    rows.push(info("passwords in commands, drawn too", `${percent.toFixed(1)} %`, passwords));
    const tuned = TUNING.map((formats) => `${caught(redactText, formats, "plain").percent.toFixed(1)} %`);
    rows.push(info("sets that the rules were tuned by", tuned.join(", "), "plain, keys and passwords"));
    for (const [name, samples] of Object.entries(familySamples(SEED)))
      for (const encoding of ["plain", "JSON string", "percent-encoded"]) {
        progress.step(`redaction, ${name}, ${encoding}`);
        const { percent: share, from: count } = caughtOf(redactText, samples, encoding);
        rows.push(info(`${name}, drawn part by part, ${encoding}`, `${share.toFixed(1)} %`, count));
      }
    progress.step("redaction, false findings");
    rows.push(...falseFindings(redactText));
    progress.step("redaction, text built to be slow");
    const { shape, ms, growth } = slowest(redactText);
    const from = `${shape}: ${ms.toFixed(0)} ms for 40,000 characters`;
    return [...rows, atMost("four times as much text built to be slow, in time", growth, { must: 6 }, from)];
  },
};

type RedactText = ReturnType<typeof createRedactor>["redactText"];

function caught(redactText: RedactText, formats: Formats, encoding: string) {
  return caughtOf(redactText, samplesOf(formats, SEED), encoding);
}

function caughtOf(redactText: RedactText, samples: readonly Sample[], encoding: string) {
  const hidden = samples.filter((sample) => {
    const encoded = ENCODINGS[encoding]!(sample);
    return !survives(redactText(encoded.text).value, encoded.hidden);
  });
  return {
    percent: (100 * hidden.length) / samples.length,
    from: `${hidden.length} of ${samples.length} samples`,
  };
}

function falseFindings(redactText: RedactText): Row[] {
  const texts = plainTexts("heldOut");
  const megabytes = texts.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
  const started = process.cpuUsage();
  const findings = texts
    .flatMap(({ text }) => redactText(text).findings)
    .reduce((sum, { count }) => sum + count, 0);
  const { user } = process.cpuUsage(started);
  const from = `${findings} findings in ${megabytes.toFixed(1)} MB of installed packages and printed hashes, ids and pictures`;
  return [
    atMost("false findings in a MB", findings / megabytes, { must: 1 }, from),
    info("speed on the same text", `${((megabytes * 1e6) / user).toFixed(0)} MB/s`, "CPU time, one round"),
  ];
}
