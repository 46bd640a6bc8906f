import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type { FAMILIES } from "../../src/work/handoff/tokens/token-counter.ts";

export type CountedFamily = (typeof FAMILIES)[number];

/** Counts the tokens of many texts at once with a real tokenizer. */
export interface RealCounter {
  readonly family: CountedFamily;
  readonly name: string;
  countAll(texts: readonly string[]): number[];
}

/**
 * The tokenizers at hand. gpt and gemini (whose vocabulary Gemma 3 shares) come from packages. Anthropic
 * publishes none for its present models: for those an outside program can be named, such as
 * `--counter "claude=python3 count.py 5.0"`, which gets one JSON string a line and answers one number a line.
 */
export function realCounters(args: readonly string[]): RealCounter[] {
  const require = createRequire(fileURLToPath(new URL("../package.json", import.meta.url)));
  if (!existsSync(fileURLToPath(new URL("../node_modules/gpt-tokenizer", import.meta.url)))) {
    throw new Error("The bench needs its own packages: npm install --prefix bench");
  }
  const gpt = require("gpt-tokenizer/encoding/o200k_base") as {
    countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  };
  const gemini = require("bpe-lite") as { countTokens(text: string, provider: "gemini"): number };
  return [
    {
      family: "gpt",
      name: "o200k (gpt-tokenizer)",
      countAll: (texts) => texts.map((text) => gpt.countTokens(text, { disallowedSpecial: new Set() })),
    },
    {
      family: "gemini",
      name: "Gemma 3 (bpe-lite)",
      countAll: (texts) => texts.map((text) => gemini.countTokens(text, "gemini")),
    },
    ...args.flatMap((arg, index) => (arg === "--counter" ? [outsideCounter(args[index + 1] ?? "")] : [])),
  ];
}

function outsideCounter(setting: string): RealCounter {
  const [family = "", command = ""] = setting.split(/=(.*)/s);
  return {
    family: family as CountedFamily,
    name: "outside program",
    countAll(texts) {
      const input = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
      const { stdout, status } = spawnSync(command, {
        shell: true,
        input,
        encoding: "utf8",
        maxBuffer: 2 ** 28,
      });
      const counts = stdout.trim().split("\n").map(Number);
      if (status !== 0 || counts.length !== texts.length)
        throw new Error(`"${command}" did not answer with one number for each text.`);
      return counts;
    },
  };
}
