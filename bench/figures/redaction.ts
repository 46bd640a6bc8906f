import { atLeast, atMost, type Figure, info, type Row } from "../figure.ts";
import { createRedactor } from "../library.ts";
import { ENCODINGS, survives } from "../redaction/encodings.ts";
import { slowest } from "../redaction/hostile.ts";
import { plainTexts } from "../redaction/plain-text.ts";
import { FORMATS, formatsOf, samplesOf } from "../redaction/samples.ts";

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
  title: `Redaction of held-out secrets: ${formatsOf("heldOut")} of ${FORMATS} formats; the others served for tuning, and one hand wrote both`,
  measure: async ({ progress }) => {
    const { redactText } = createRedactor();
    const samples = samplesOf("heldOut", SEED);
    const rows = Object.entries(ENCODINGS).map(([name, encode]): Row => {
      progress.step(`redaction, ${name}`);
      const caught = samples.filter((sample) => {
        const { text, hidden } = encode(sample);
        return !survives(redactText(text).value, hidden);
      }).length;
      const percent = (100 * caught) / samples.length;
      const from = `${caught} of ${samples.length} samples`;
      const must = MUST[name];
      return must === undefined
        ? info(`caught, ${name}`, `${percent.toFixed(1)} %`, from)
        : atLeast(`caught, ${name}`, percent, { must, unit: " %", digits: 1 }, from);
    });
    progress.step("redaction, false findings");
    rows.push(...falseFindings(redactText));
    progress.step("redaction, text built to be slow");
    const { text, ms, growth } = slowest(redactText);
    const from = `${JSON.stringify(text)} repeated: ${ms.toFixed(0)} ms for 40,000 characters`;
    return [...rows, atMost("four times as much text built to be slow, in time", growth, { must: 6 }, from)];
  },
};

function falseFindings(redactText: ReturnType<typeof createRedactor>["redactText"]): Row[] {
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
