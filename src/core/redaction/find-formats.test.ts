import fc from "fast-check";
import { expect, it } from "vitest";
import { findFormats, FORMATS } from "./find-formats.ts";
import type { Span } from "./span.ts";

/** What comes behind must look random: documents write `xxxx…`, which no rule takes for a key. */
const MASKED = /([B-Za-z0-9])\1{9}/;

it("finds a sample of each format by the rule of that format", () => {
  const wrong = FORMATS.flatMap(([rule, starts, rest, before]) =>
    starts.split(" ").map((start) => {
      const samples = samplesOf(start, rest, before?.pattern ?? "");
      const rules = new Set(samples.map((sample) => foundIn(sample)));
      // Another format may have a longer beginning that fits as well, but then of the same service.
      return rules.size === 1 && rules.has(rule)
        ? undefined
        : `${start}: ${[...rules].join(", ")}, not ${rule}`;
    }),
  );
  expect(wrong.filter((line) => line !== undefined)).toEqual([]);
});

/** A few texts that the description of a format fits. The generator knows no look-ahead, so what that excludes is left out. */
function samplesOf(start: string, rest: string, before: string): string[] {
  const plain = rest.replaceAll(/\(\?[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, "");
  // The shortest that fit: long ones take seconds to make.
  const short = plain.replaceAll(/\{([0-9]+),[0-9]+\}/g, "{$1}");
  const whole = new RegExp(`^${before}${escape(start)}${rest}$`);
  const generated = fc.stringMatching(new RegExp(`^${before}${escape(start)}${short}$`));
  return fc
    .sample(generated, { seed: 7, numRuns: plain === rest ? 3 : 24 })
    .filter((text) => whole.test(text) && !MASKED.test(text))
    .slice(0, 3);
}

function foundIn(text: string): string | undefined {
  const found: Span[] = [];
  findFormats(text, 0, text.length, found);
  return found[0]?.rule;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, "\\$&");
}
