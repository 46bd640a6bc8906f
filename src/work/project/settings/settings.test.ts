import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";

import { mayHaveKey, maySet, PROJECT_FILE, readSettings } from "./settings.ts";

describe("whether a config may set something", () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "cairn-settings-"))));
  afterEach(() => rmSync(root, { recursive: true }));

  const user = () => ({ env: { HOME: root } });
  const write = (text: string) => writeFileSync(join(root, PROJECT_FILE), text);

  it.each([
    "governance: on",
    "{ agent_id: 'a#1', governance: on }",
    '"gov\\x65rnance": on',
    '? "govern\\\n  ance"\n: on',
    "? governance\n: on",
    "agent_id: &key governance\n*key : on",
  ])("is never denied of one that does: %j", async (text) => {
    write(text);
    expect((await readSettings(user(), root)).governance).toBe(true);
    expect(maySet("governance", user(), root)).toBe(true);
  });

  it("is denied where there is no config, or none with that word", () => {
    expect(maySet("governance", user(), root)).toBe(false);
    write("# governance: on, once we want it\nkeep: 9 # of all\n");
    expect(maySet("governance", user(), root)).toBe(false);
  });

  it("is left open for a config that cannot be read, which is refused when it is", async () => {
    write("#".repeat(300 * 1024));
    expect(maySet("redact", user(), root)).toBe(true);
    await expect(readSettings(user(), root)).rejects.toMatchObject({ code: "failed" });
  });
});

describe("whether YAML may have a key", () => {
  const entries = [
    "key: 1",
    "'key': 1",
    '"k\\x65y": 1',
    "? key\n: 1",
    "b: 'x\n  # y'",
    'c: "# key\n  #"',
    "? 'd\n  #'\n: 1",
  ];
  const ends = ["\n", " # key\n", "\n# key\n", "\r\n", ",", ", # key\n", ",\n  # 'key'\n", " |\n  # key\n"];
  const part = fc.tuple(fc.constantFrom(...entries), fc.constantFrom(...ends)).map((pair) => pair.join(""));
  const hasKey = (text: string) => {
    const document = parseDocument(text, { logLevel: "silent" });
    return document.errors.length === 0 && document.has("key");
  };

  it("is never denied of YAML that has it", () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.boolean(), (parts, isFlow) => {
        const text = isFlow ? `{ ${parts.join("")} }` : parts.join("");
        if (!hasKey(text)) return;
        found++;
        expect(mayHaveKey(text, "key")).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(found).toBeGreaterThan(200);
  });

  it("is not denied after a quoted text whose second line looks like a comment", () => {
    const text = "{ 'a\n  #', key: 1 }";
    expect([hasKey(text), mayHaveKey(text, "key")]).toEqual([true, true]);
  });
});
