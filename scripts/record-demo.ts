// Records what `npm start` prints in a terminal, as a picture that moves: node scripts/run.js scripts/record-demo.ts
// Writes docs/images/demo.svg. Everything in it was printed by a real run; only long waits are shortened.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const PICTURE = fileURLToPath(new URL("../docs/images/demo.svg", import.meta.url));
const DEMO = fileURLToPath(new URL("../examples/demo/main.ts", import.meta.url));

const ROWS = 26;
const COLUMNS = 92;
const ROW_PX = 19;
const COLUMN_PX = 8.4;
const MARGIN_PX = 18;
/** Longer waits are cut to this: nobody watches a run of tests. */
const LONGEST_WAIT_MS = 900;
/** Lines that come together are shown one after the other, so that they can be read. */
const LINE_MS = 130;
const CHAPTER_MS = 1_600;
const END_MS = 6_000;
/** What comes from here on is left out: the picture shall last half a minute. */
const LAST_CHAPTER = "A person decides";

const ESCAPE = String.fromCodePoint(27);
/** How a terminal is told about a colour. */
const COLOUR = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);
const CLASSES: Readonly<Record<string, string>> = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y", 36: "c" };

interface Line {
  readonly atMs: number;
  readonly text: string;
}

const recorded = await record();
const lines = paced(recorded);
writeFileSync(PICTURE, drawing(lines));
console.error(
  `record: ${lines.length} lines, ${Math.round(lengthOf(lines) / 1000)} s, in docs/images/demo.svg`,
);

/** The demo in a terminal of its own, with colours: `script` gives it one. */
async function record(): Promise<Line[]> {
  const command = `stty cols ${COLUMNS}; exec ${process.execPath} ${DEMO}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], { stdio: ["ignore", "pipe", "inherit"] });
  const started = performance.now();
  const seen: Line[] = [];
  let rest = "";
  child.stdout.on("data", (data: Buffer) => {
    const parts = (rest + data.toString("utf8")).split(/\r?\n/);
    rest = parts.pop() ?? "";
    for (const text of parts) seen.push({ atMs: performance.now() - started, text });
  });
  const [status] = (await once(child, "close")) as [number];
  if (status !== 0) throw new Error(`The demo ended with status ${status}.`);
  const end = seen.findIndex(({ text }) => stripVTControlCharacters(text).includes(LAST_CHAPTER));
  if (end === -1) throw new Error(`The demo has no chapter "${LAST_CHAPTER}" any more.`);
  // The folder is a temporary one.
  return seen.slice(0, end).filter(({ text }) => !text.includes("The project is "));
}

/** The same lines, at times at which a person can follow them. */
function paced(seen: readonly Line[]): Line[] {
  let now = 300;
  let before = seen[0]?.atMs ?? 0;
  return seen.map(({ atMs, text }) => {
    const isChapter = /^\d+ {2}/.test(stripVTControlCharacters(text));
    now += Math.max(isChapter ? CHAPTER_MS : LINE_MS, Math.min(atMs - before, LONGEST_WAIT_MS));
    before = atMs;
    return { atMs: now, text };
  });
}

function lengthOf(shown: readonly Line[]): number {
  return (shown.at(-1)?.atMs ?? 0) + END_MS;
}

function drawing(shown: readonly Line[]): string {
  const [width, height] = [COLUMNS * COLUMN_PX + 2 * MARGIN_PX, ROWS * ROW_PX + 2 * MARGIN_PX];
  const total = lengthOf(shown);
  const percent = (ms: number) => `${((100 * ms) / total).toFixed(2)}%`;
  // A line is there from its time on, and the paper moves up by a row for each that would stand below the window.
  const steps = shown.flatMap(({ atMs }, at) =>
    at < ROWS ? [] : [`${percent(atMs)}{transform:translateY(${-(at - ROWS + 1) * ROW_PX}px)}`],
  );
  const appear = shown.map(
    ({ atMs }, at) =>
      `@keyframes l${at}{0%,${percent(Math.max(0, atMs - 1))}{opacity:0}${percent(atMs)},100%{opacity:1}}`,
  );
  const texts = shown.map(
    ({ text }, at) =>
      `<text style="animation:l${at} ${total}ms step-end infinite" x="${MARGIN_PX}" y="${MARGIN_PX + 14 + at * ROW_PX}">${spansOf(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14">
<style>text{white-space:pre;fill:#d7dde4}.b{font-weight:700;fill:#fff}.d{fill:#8b97a5}.r{fill:#ff7b72}.g{fill:#7ee787}.y{fill:#e3b341}.c{fill:#79c0ff}
.paper{animation:paper ${total}ms step-end infinite}@keyframes paper{0%{transform:translateY(0)}${steps.join("")}}
${appear.join("\n")}
@media (prefers-reduced-motion:reduce){.paper,text{animation-duration:1ms!important;animation-iteration-count:1!important}}</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<svg y="${MARGIN_PX}" width="${width}" height="${ROWS * ROW_PX}" viewBox="0 ${MARGIN_PX} ${width} ${ROWS * ROW_PX}"><g class="paper">
${texts.join("\n")}
</g></svg>
</svg>
`;
}

/** Colours of the terminal as classes of the picture. */
function spansOf(text: string): string {
  let current = "";
  return text
    .split(COLOUR)
    .map((part) => {
      const codes = part.startsWith(ESCAPE) ? part.slice(2, -1) : undefined;
      if (codes !== undefined) {
        current = CLASSES[codes] ?? (/^(0|22|39|)$/.test(codes) ? "" : current);
        return "";
      }
      const words = escaped(stripVTControlCharacters(part).slice(0, COLUMNS));
      return words === "" || current === "" ? words : `<tspan class="${current}">${words}</tspan>`;
    })
    .join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
