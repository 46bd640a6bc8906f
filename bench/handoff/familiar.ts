// Writes src/handoff/tokens/familiar-bits.ts: which characters beyond ASCII are known to follow which.
//   node bench/handoff/familiar.ts
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { FILTER_BITS, bitOf } from "../../src/handoff/tokens/familiar.ts";
import { commonIn } from "./wordless.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOCALES = join(ROOT, "bench/node_modules/typescript-locales/lib");
const TRANSLATED = "cs de es fr it ja ko pl pt-br ru tr zh-cn zh-tw".split(" ");
/** Languages of scripts that TypeScript's messages are not in: what ICU calls regions, languages and currencies there. */
const ICU =
  "ar fa ur he th hi mr bn ta te el ka hy am vi uk bg sr be kk da sv nb fi hu ro sk hr lt lv et is".split(
    " ",
  );
/** What people and programs draw with. */
const SIGNS =
  "…—–‐‑“”‘’«»„‹›•·‣◦→←↑↓↔⇒⇐⇔↳↵⏎✓✔✗✘✅❌⚠️ℹ️❗❓⭐★☆●○◆◇■□▪▫▲▼▶◀►◄⏳⌛⏰⏱☑☐☒±×÷≤≥≠≈≡∞∑∏√∂∫∈∉∀∃∅∩∪⊂⊃°µ¶§©®™€£¥₹₽¢†‡‰′″№─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬━┃┏┓┗┛┣┫╭╮╯╰█▇▆▅▄▃▂▁▀▌▐░▒▓½¼¾²³¹⁰ⁿ₀₁₂⌘⌥⇧⌃⎿⎯❯❮➜➤➔✨✏️✂️☀️☁️☎️♻️⚙️⚡⚽⛔✋❤️♥♦♣♠♪♫🚀🔥📦🎉🐛🔧🔨📝📌📄📁📂📊📈📉🔍🔒🔓🔑💡💥💻🖥️🧪🧹🧠🤖👍👎👀🙏😀😁😂😅😊😍😎😢😭😡🤔🥳👋💪🟢🟡🔴🟠🔵⚪⚫🛑🚧🚨🚫🔄🔁🔗🏷️🗑️🗂️🏗️⬆️⬇️➡️⬅️🌍🌐⏭️⏸️▶️🕐📅📚📋📣📢💾🧩🛠️🎯🏁✉️📧👤👥🧑‍💻";

const texts = [
  // Apart, because each stands for itself.
  Array.from(SIGNS).join(" "),
  ...commonIn("gb2312", [0xb0, 0xd7]),
  ...commonIn("euc-kr", [0xb0, 0xc8]),
  ...TRANSLATED.flatMap((locale) => messagesOf(locale)),
  ...ICU.flatMap((locale) => namesIn(locale)),
];
const bits = new Uint8Array(FILTER_BITS / 8);
for (const text of texts) {
  // As they stand in sentences: small, and with a capital.
  for (const form of [text, text.toLowerCase()]) {
    let before = 32;
    for (const character of form) {
      const code = character.codePointAt(0)!;
      if (code >= 128) {
        const place = bitOf(before, code);
        bits[place >> 3]! |= 1 << (place & 7);
      }
      before = character.charCodeAt(character.length - 1);
    }
  }
}
const known = bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
console.log(`${((known / FILTER_BITS) * 100).toFixed(1)} % of the filter is taken`);
const base64 = Buffer.from(bits).toString("base64");
writeFileSync(
  join(ROOT, "src/handoff/tokens/familiar-bits.ts"),
  `/** Made by bench/handoff/familiar.ts from translated messages and the names that ICU has. Do not edit by hand. */
export const FAMILIAR_BITS: string =
  "${base64}";
`,
);

function messagesOf(locale: string): string[] {
  const path = join(LOCALES, locale, "diagnosticMessages.generated.json");
  return Object.values(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>);
}

function namesIn(locale: string): string[] {
  const found: string[] = [];
  for (const type of ["region", "language", "currency", "script"] as const) {
    const names = new Intl.DisplayNames([locale], { type, fallback: "none" });
    for (const code of codesOf(type)) {
      const name = nameOf(names, code);
      if (name !== undefined) found.push(name);
    }
  }
  return found;
}

function nameOf(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}

/** Codes of that length: those that ICU does not know have no name. */
function codesOf(type: "region" | "language" | "currency" | "script"): readonly string[] {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  if (type === "language") return pairs;
  if (type === "region") return pairs.map((pair) => pair.toUpperCase());
  if (type === "currency") return Intl.supportedValuesOf("currency");
  return [
    "Latn",
    "Cyrl",
    "Grek",
    "Arab",
    "Hebr",
    "Thai",
    "Deva",
    "Beng",
    "Taml",
    "Geor",
    "Armn",
    "Hans",
    "Hant",
    "Jpan",
    "Kore",
  ];
}
