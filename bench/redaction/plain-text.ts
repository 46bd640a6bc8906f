import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Random, seededRandom } from "../random.ts";
import type { Half } from "./samples.ts";

/** Text that holds no secret. */
export interface PlainText {
  readonly name: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = [
  "node_modules/**/*.{js,mjs,cjs,ts,mts,cts,md,json,yml,yaml,map,html,css,txt}",
  "package-lock.json",
  "docs/**/*.md",
];
/** Tests, and what explains redaction, have secrets on purpose. */
const EXPLAINS = /redaction\.md$|\/tests?\/|\.test\./;
const MAX_FILE_CHARS = 400_000;
const HALF_CHARS = 24_000_000;

/** Installed packages, half of the files each, and what tools print that only looks like a secret. */
export function plainTexts(half: Half): PlainText[] {
  const paths = FILES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(
    (path) => !EXPLAINS.test(path),
  );
  const order = seededRandom(3).shuffle([...new Set(paths)].toSorted());
  const own = order.filter((_, at) => (at % 2 === 0) === (half === "heldOut"));
  const texts: PlainText[] = [];
  let chars = 0;
  for (const path of own) {
    if (chars >= HALF_CHARS) break;
    const text = readFileSync(ROOT + path, "utf8").slice(0, MAX_FILE_CHARS);
    texts.push({ name: path, text });
    chars += text.length;
  }
  return [...texts, ...printed(seededRandom(half === "heldOut" ? 5 : 6))];
}

/** What tools print: random, and no secret. */
function printed(random: Random): PlainText[] {
  const hex = (length: number) => Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  const base64 = (bytes: number) =>
    Buffer.from(Array.from({ length: bytes }, () => random.integer(0, 255))).toString("base64");
  const lines = (name: string, line: () => string) => ({
    name,
    text: Array.from({ length: 400 }, line).join("\n"),
  });
  return [
    lines("git log", () => `commit ${hex(40)}\nAuthor: A Person <a@example.org>\n\n    fix: a thing\n`),
    lines("git diff", () => `index ${hex(10)}..${hex(10)} 100644\n--- a/src/a.ts\n+++ b/src/a.ts`),
    lines("UUIDs", uuid),
    lines(
      "ids in JSON",
      () => `{"id": "${uuid()}", "trace_id": "${hex(32)}", "run": "run_${random.token(24)}"}`,
    ),
    lines("lock file", () => `      "integrity": "sha512-${base64(64)}",`),
    lines("checksums", () => `${hex(64)}  dist/app-${hex(8)}.js`),
    lines("image layers", () => `sha256:${hex(64)}: Pull complete`),
    lines(
      "bundle",
      () => `<script src="/assets/index-${random.token(8)}.js" integrity="sha384-${base64(48)}"></script>`,
    ),
    { name: "picture", text: `<img src="data:image/png;base64,${base64(60_000)}">` },
    { name: "wrapped base64", text: base64(60_000).replaceAll(/.{76}/g, "$&\n") },
  ];
}
