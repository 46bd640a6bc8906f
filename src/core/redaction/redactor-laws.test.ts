import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../objects/json.ts";
import { createRedactor } from "./redactor.ts";

const redactor = createRedactor();
const GITHUB = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

const PRIVATE_KEY = ["PRIV", "ATE KEY"].join("");

/** Fragments that the rules care about, in any order: the places where rules meet are where they go wrong. */
const FRAGMENTS = [
  GITHUB,
  "password",
  "token",
  "secret: ",
  "=",
  ": ",
  '"',
  "'",
  '\\"',
  "\\n",
  "\n",
  " ",
  "{",
  "}",
  "--",
  "-p",
  "-a ",
  "redis-cli ",
  "curl -u a:",
  "https://",
  "me:pw1x9@",
  "@host/",
  "Authorization: Bearer ",
  "Cookie: a=",
  "hunter2",
  "Tr0ub4dor&3",
  "[redacted:x]",
  "[redacted:",
  "]",
  "is ",
  `-----BEGIN ${PRIVATE_KEY}-----`,
  `-----END ${PRIVATE_KEY}-----`,
  "export API_KEY=",
  "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=",
  "<password>",
  "</password>",
  "&",
  ";",
  "?sig=",
  "9aK2mQ7xR4vL1pZ8cW5bN3tY",
  "%3D",
  "%22",
  "%",
  "25",
  "\u001B[1m",
  "\\u001b[",
  "0m",
  "sk-lf-",
  "6f88e21f-ed24-4041-a25f-27aeaa5a51ad",
  "mc alias set a b c ",
  "value: ",
  'variable "api_key" {',
  "SDK_KEY ",
  "root:",
  "kX9#vB2m!Qw7zT",
  "| user | password |\n",
  "a,token\n",
  "login('a', '",
];
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 12 }).map((parts) => parts.join("")),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    text,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(text, fc.constantFrom("password", "token", "id", "__proto__", "value", "name", "constructor")),
      tie("value"),
      { maxKeys: 5 },
    ) as fc.Arbitrary<Json>,
  ),
})).value;

describe("laws of redaction", () => {
  it("redacting twice changes nothing more", () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = redactor.redact(value).value;
        const twice = redactor.redact(once);
        expect(twice.findings).toEqual([]);
        expect(twice.value).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("a value without findings is the same object, and one with findings is not", () => {
    fc.assert(
      fc.property(json, (value) => {
        const { value: redacted, findings } = redactor.redact(value);
        expect(Object.is(redacted, value)).toBe(findings.length === 0);
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves its input as it was", () => {
    fc.assert(
      fc.property(json, (value) => {
        const before = JSON.stringify(value);
        redactor.redact(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it("a known token is gone wherever it was put", () => {
    const tokens = fc.stringMatching(/^[A-Za-z0-9]{36}$/).map((rest) => ["gh", "p_", rest].join(""));
    fc.assert(
      fc.property(
        tokens,
        json,
        fc.constantFrom("note", "id", "password", "files_touched"),
        (token, rest, key) => {
          const state = {
            rest,
            [key]: `see ${token}`,
            list: [token, { [token]: token }],
            nested: JSON.stringify({ a: `\n${token}` }),
          };
          const { value, findings } = redactor.redact(state);
          expect(JSON.stringify(value)).not.toContain(token);
          expect(JSON.stringify(findings)).not.toContain(token);
        },
      ),
      { numRuns: 500 },
    );
  });

  // Such words are not even looked at. Percent-encoded they are, because then only what is decoded tells what they are.
  it("finds nothing in a short word of small letters", () => {
    const pieces = fc.constantFrom(
      ..."pass word key token secret auth pwd ghp_ sk_ api login jwt phrase mnemonic _ a q z".split(" "),
    );
    const words = fc
      .array(pieces, { minLength: 2, maxLength: 6 })
      .map((parts) => parts.join("").slice(0, 15));
    const encoded = (word: string) =>
      Array.from(word, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    expect(redactor.redactText(encoded(GITHUB)).findings).not.toEqual([]);
    fc.assert(
      fc.property(words, (word) => {
        expect(redactor.redactText(encoded(word)).findings).toEqual([]);
        expect(redactor.redactText(word).findings).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
