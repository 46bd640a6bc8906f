import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TEXT = /\.(?:[cm]?js|d\.[cm]?ts|md)$/;
const OWN = /\.(?:ts|js|md|json|ya?ml)$/;
/** Tests, and what explains redaction itself, have secrets on purpose. */
const EXPLAINS = /\.test\.ts$|src\/core\/redaction\/|docs\/redaction\.md$/;

it("finds at most one false secret in a megabyte of real text", () => {
  const { redactText } = createRedactor();
  const files = [
    ...["src", "docs", "scripts", "bin"].flatMap((folder) => filesIn(folder, OWN)),
    ...["typescript", "vitest", "fast-check"].flatMap((name) => filesIn(`node_modules/${name}`, TEXT)),
  ];
  let sizeBytes = 0;
  let hits = 0;
  const found: string[] = [];
  for (const file of files) {
    const content = readFileSync(`${ROOT}${file}`);
    sizeBytes += content.length;
    for (const { rule, count } of redactText(content.toString()).findings) {
      hits += count;
      found.push(`${file}: ${count} × ${rule}`);
    }
  }
  const megabytes = sizeBytes / 1e6;
  console.log(`${hits} hits in ${files.length} files, ${megabytes.toFixed(1)} MB`, found);
  // Proof that there was something to look at.
  expect(megabytes).toBeGreaterThan(3);
  expect(hits).toBeLessThanOrEqual(megabytes);
});

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => `${entry.parentPath.slice(ROOT.length)}/${entry.name}`)
    .filter((file) => !EXPLAINS.test(file));
}
