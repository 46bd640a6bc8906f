import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { zstdCompressSync } from "node:zlib";
import { seededRandom } from "./random.ts";

/** Real text to build states from, and what a reader needs to judge it by. */
export interface Corpus {
  readonly text: string;
  readonly packages: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** How often smaller plain zstd (level 3) makes the whole corpus, and its 16 KB pieces taken one by one. */
  readonly zstdRatio: number;
  readonly zstdRatioOfPieces: number;
  /** The same of 16 KB of messages, whose text is cut in a seeded order. */
  readonly zstdRatioOfMessages: number;
}

/** Hands out text piece by piece, never the same twice. */
export type TextSource = (chars: number) => string;

/** Sources and documents: no second builds of the same source (zod's .cjs), nothing that only one platform installs. */
const PATTERNS = [
  "@types/node/**/*.d.ts",
  "{chai,es-module-lexer,formatly,get-tsconfig,nanoid,picomatch,smol-toml,tinyglobby,unbash}/**/*.js",
  "{fast-check,postcss,rolldown,undici-types}/**/*.{js,mjs,d.ts,d.mts}",
  "{knip,yaml}/dist/**/*.js",
  "{vite,vitest}/dist/**/*.{js,d.ts}",
  "zod/src/**/*.ts",
  "{es-module-lexer,fast-check,jiti,knip,magic-string,picomatch,postcss,smol-toml,vite,vitest,yaml,zod}/*.md",
];
const EXCLUDED = /\/tests?\/|locales|\.min\./;
const MAX_FILE_CHARS = 160_000;
const PIECE_BYTES = 16_384;
/** Neighbouring messages come in pairs from one place: 16 KB of them compress about as real logs of mixed work do. */
export const MESSAGE_BLOCK_CHARS = 2000;

/** The same text on every machine with the same lockfile: files in a seeded order, each once, long ones cut. */
export function buildCorpus(): Corpus {
  const folder = fileURLToPath(new URL("../node_modules/", import.meta.url));
  const paths = PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: folder }))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !EXCLUDED.test(path));
  const order = seededRandom(1).shuffle([...new Set(paths)].toSorted());
  const texts = order.map((path) =>
    readFileSync(folder + path, "utf8")
      .slice(0, MAX_FILE_CHARS)
      .toWellFormed(),
  );
  const different = [...new Set(texts)].filter(isReadable);
  const text = different.join("");
  const bytes = Buffer.from(text);
  return {
    text,
    packages: packagesOf(paths),
    files: different.length,
    bytes: bytes.length,
    zstdRatio: bytes.length / zstdCompressSync(bytes).length,
    zstdRatioOfPieces: pieceRatio(bytes),
    zstdRatioOfMessages: pieceRatio(shuffledBlocks(text)),
  };
}

/**
 * Text cut out of a corpus in blocks of a seeded order, so that neighbouring pieces mostly come from the
 * same file and distant ones do not, as when an agent reads through a project.
 */
export function readText(corpus: Corpus, blockChars: number, seed: number): TextSource {
  const starts = Array.from(
    { length: Math.floor(corpus.text.length / blockChars) },
    (_, at) => at * blockChars,
  );
  const order = seededRandom(seed).shuffle(starts);
  let block = 0;
  let used = 0;
  return (chars) => {
    if (used + chars > blockChars) {
      block++;
      used = 0;
    }
    const start = order[block];
    if (start === undefined) throw new Error(`The corpus is too small: ${corpus.text.length} characters.`);
    used += chars;
    return corpus.text.slice(start + used - chars, start + used).toWellFormed();
  };
}

/** Random letters and digits: what no store can make small. */
export function incompressibleText(seed: number): TextSource {
  const random = seededRandom(seed);
  return (chars) => random.token(chars);
}

function isReadable(text: string): boolean {
  return text.length > 400 && text.length / text.split("\n").length < 120;
}

function packagesOf(paths: readonly string[]): string[] {
  const names = paths.map((path) =>
    path
      .split("/")
      .slice(0, path.startsWith("@") ? 2 : 1)
      .join("/"),
  );
  return [...new Set(names)].toSorted();
}

function shuffledBlocks(text: string): Buffer {
  const count = Math.floor(text.length / MESSAGE_BLOCK_CHARS);
  const starts = Array.from({ length: count }, (_, at) => at * MESSAGE_BLOCK_CHARS);
  const blocks = seededRandom(2)
    .shuffle(starts)
    .map((start) => text.slice(start, start + MESSAGE_BLOCK_CHARS));
  return Buffer.from(blocks.join(""));
}

function pieceRatio(bytes: Buffer): number {
  let compressed = 0;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    compressed += zstdCompressSync(bytes.subarray(at, at + PIECE_BYTES)).length;
  }
  return bytes.length / compressed;
}
