import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import {
  chineseText,
  diffText,
  gibberishText,
  jsonText,
  logText,
  noiseText,
  scriptText,
  symbolText,
} from "./generators.ts";
import { seededRandom, type Random } from "./random.ts";

/** A piece of text, and whether the estimator may be fitted on it or is only judged by it. */
export interface Chunk {
  readonly category: string;
  readonly use: "fit" | "test";
  readonly text: string;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOCALES = join(ROOT, "bench/node_modules/typescript-locales/lib");
const OTHER_LANGUAGES = ["de", "fr", "es", "it", "pl", "tr", "cs", "pt-br", "ru", "ja", "ko"];
const CHUNKS_PER_CATEGORY = 160;

/**
 * The corpus, built from what is here: this project's sources and documents, the open-source packages in
 * node_modules, TypeScript's translated messages, and seeded generators. Files, not chunks, are dealt to
 * the two uses, so the estimator is judged on sources that it has never seen.
 */
export function buildCorpus(): Chunk[] {
  const code = files(
    "{src,scripts,node_modules/{zod/src,fast-check,knip/dist,vitest/dist,yaml/dist,@types/node,vite/dist,chai,picomatch}}/**/*.{ts,js,mjs}",
  );
  const random = seededRandom(20_261_115);
  return [
    ...fromFiles("code", code.filter(isHandWritten), random),
    ...fromFiles("prose", files("{docs,{node_modules,bench/node_modules}/**}/*.md"), random),
    ...fromFiles("prose", files("node_modules/{@types/node,fast-check,vite}/**/*.d.ts"), random, comments),
    ...fromFiles("json", files("{node_modules/**/package.json,node_modules/*/*schema*.json}"), random),
    ...generated("json", random, () => jsonText(random, random.integer(2, 14))),
    ...generated("logs", random, () => logText(random, random.integer(4, 50))),
    ...generated("diffs", random, (use) => diffText(random, sourceFor(use, code, random))),
    ...generated("noise", random, () => noiseText(random, random.integer(3, 30))),
    ...generated("symbols", random, () => symbolText(random, random.integer(6, 60))),
    ...generated("other scripts", random, () => scriptText(random, random.integer(6, 60))),
    ...generated("Chinese", random, () => chineseText(random, random.integer(10, 120))),
    ...messages("Chinese", ["zh-cn", "zh-tw"], random),
    ...messages("other languages", OTHER_LANGUAGES, random),
    ...generated("gibberish", random, () => gibberishText(random, random.integer(40, 400))).filter(isForTest),
  ];
}

function isForTest(chunk: Chunk): boolean {
  return chunk.use === "test";
}

function files(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).toSorted();
}

function isHandWritten(path: string): boolean {
  const text = read(path);
  return text.length > 400 && text.length / text.split("\n").length < 100;
}

function fromFiles(category: string, paths: readonly string[], random: Random, part = whole): Chunk[] {
  const byUse = { fit: [] as Chunk[], test: [] as Chunk[] };
  for (const path of shuffled(paths)) {
    const chunks = byUse[useOf(path)];
    if (chunks.length < CHUNKS_PER_CATEGORY) {
      chunks.push(
        ...cut(part(read(path)), random)
          .slice(0, 3)
          .map((text) => ({ category, use: useOf(path), text })),
      );
    }
  }
  return [...byUse.fit, ...byUse.test];
}

function whole(text: string): string {
  return text;
}

/** The prose in a declaration file: its comments without their stars. */
function comments(text: string): string {
  const blocks = text.match(/\/\*\*[^]*?\*\//g) ?? [];
  return blocks.map((block) => block.replaceAll(/^\s*\/?\*+\/? ?/gm, "")).join("\n");
}

function generated(category: string, random: Random, make: (use: Chunk["use"]) => string): Chunk[] {
  return Array.from({ length: CHUNKS_PER_CATEGORY }, (_, index) => {
    const use = index % 2 === 0 ? "fit" : "test";
    return { category, use, text: make(use).slice(0, random.integer(300, 6000)) };
  });
}

/** TypeScript ships its messages in thirteen languages: real technical sentences under a free licence. */
function messages(category: string, locales: readonly string[], random: Random): Chunk[] {
  return locales.flatMap((locale) => {
    const path = join(LOCALES, locale, "diagnosticMessages.generated.json");
    if (!existsSync(path))
      throw new Error(`The bench needs its own packages: npm install --prefix bench (no ${path})`);
    const found = Object.values(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>);
    // Names stand where the compiler would put them.
    const lines = found.map((line) =>
      line.replaceAll(/\{\d\}/g, () => random.pick(["value", "props", "Array<string>", "index.ts"])),
    );
    const half = Math.floor(lines.length / 2);
    const share = Math.ceil(CHUNKS_PER_CATEGORY / locales.length);
    return [
      ...cut(lines.slice(0, half).join("\n"), random)
        .slice(0, share)
        .map((text) => ({ category, use: "fit" as const, text })),
      ...cut(lines.slice(half).join("\n"), random)
        .slice(0, share)
        .map((text) => ({ category, use: "test" as const, text })),
    ];
  });
}

function sourceFor(use: Chunk["use"], code: readonly string[], random: Random): string[] {
  const own = code.filter((path) => useOf(path) === use);
  return read(random.pick(own)).split("\n").slice(0, 200);
}

function useOf(path: string): Chunk["use"] {
  return digest(path).charCodeAt(0) % 2 === 0 ? "fit" : "test";
}

/** Cuts at lines into pieces between 300 and 6,000 characters: the sizes of items and of whole handoffs. */
function cut(text: string, random: Random): string[] {
  const pieces: string[] = [];
  let piece = "";
  let size = random.integer(300, 6000);
  for (const line of text.split("\n")) {
    piece += `${line.slice(0, 1000)}\n`;
    if (piece.length < size) continue;
    pieces.push(piece);
    piece = "";
    size = random.integer(300, 6000);
  }
  return piece.length > 300 ? [...pieces, piece] : pieces;
}

/** An order that depends on the paths alone, so that one large package does not fill a category. */
function shuffled(paths: readonly string[]): string[] {
  return paths.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
