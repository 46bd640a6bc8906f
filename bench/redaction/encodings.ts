import type { Sample } from "./samples.ts";

/** What reaches the redactor, and what must not be in its answer. */
export interface Encoded {
  readonly text: string;
  readonly hidden: string;
}

/** The ways in which a secret reaches a state. */
export const ENCODINGS: Readonly<Record<string, (sample: Sample) => Encoded>> = {
  plain: ({ text, hidden }) => ({ text, hidden }),
  "JSON string": ({ text, hidden }) => ({
    text: JSON.stringify({ output: `$ run\n${text}\nexit 0`, code: 0 }),
    hidden: inJson(hidden),
  }),
  "own line": ({ text, secret, hidden, isTelling }) => ({
    text: `started\n${isTelling ? secret : text}\nfinished`,
    hidden,
  }),
  colours: ({ text, secret, hidden }) => ({
    text: text
      .split("\n")
      .map((line) => `\u001B[1;32m${line}\u001B[0m`)
      .join("\n")
      .replace(secret, () => `\u001B[33m${secret}\u001B[0m`),
    hidden,
  }),
  base64: ({ text, hidden }) => {
    const encoded = Buffer.from(text).toString("base64");
    const at = text.indexOf(hidden);
    const [start, end] = [Math.ceil((at * 4) / 3) + 1, Math.floor(((at + hidden.length) * 4) / 3) - 1];
    return { text: `data: ${encoded} (end)`, hidden: encoded.slice(start, end) };
  },
  "percent-encoded": ({ text, hidden }) => ({
    text: `body=${encodeURIComponent(text)}&page=2`,
    hidden: encodeURIComponent(hidden),
  }),
  "in a URL": ({ secret, hidden }) => ({
    text: `GET https://api.example.org/v1/jobs?limit=5&api_key=${encodeURIComponent(secret)}&page=2 200`,
    hidden: encodeURIComponent(hidden),
  }),
  "command line": ({ secret, hidden, isTelling }) => ({
    text: `$ tool sync ${isTelling ? "--token" : "--password"} ${secret} --region eu && echo done`,
    hidden,
  }),
  quoted: ({ text, secret, hidden }) => ({
    text: text.replace(new RegExp(`["']?${secret.replaceAll(/[^\w]/g, "\\$&")}["']?`), () => `"${secret}"`),
    hidden,
  }),
  "Windows line ends": ({ text, hidden }) => ({
    text: `started\r\n${text.replaceAll("\n", "\r\n")}\r\nfinished\r\n`,
    hidden,
  }),
  "in a diff": ({ text, hidden }) => ({
    text: `@@ -1,2 +1,3 @@\n # settings\n${text.replaceAll(/^/gm, "+")}\n-old\n`,
    hidden,
  }),
};

/** As many characters in a row as would still tell something of a secret. */
const WINDOW = 8;

/** Whether any telling part of what had to be hidden is left. */
export function survives(redacted: string, hidden: string): boolean {
  const result = redacted.replaceAll(/\[redacted:[\w-]+\]/g, "");
  if (hidden.length <= WINDOW) return result.includes(hidden);
  for (let at = 0; at + WINDOW <= hidden.length; at++)
    if (result.includes(hidden.slice(at, at + WINDOW))) return true;
  return false;
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
