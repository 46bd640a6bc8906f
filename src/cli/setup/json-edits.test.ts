import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addAt, appendAt, removeAt, removeItem } from "./json-edits.ts";
import { NotJson, readJsonTree, valueOf } from "./json-tree.ts";

const COMMENTED = `{
    // What I use.
    "model": "opus", // the large one
    "list": [1, 2], /* two */
    "deep": { "a": true }
}
`;

describe("editing JSON in place", () => {
  it("leaves everything else as it was written: comments, indentation, order", () => {
    const added = addAt(addAt(COMMENTED, ["deep", "b", "c"], 1), ["new"], { x: [1] });
    expect(added).toBe(`{
    // What I use.
    "model": "opus", // the large one
    "list": [1, 2], /* two */
    "deep": { "a": true,
        "b": {
            "c": 1
        }
    },
    "new": {
        "x": [
            1
        ]
    }
}
`);
    expect(removeAt(added, ["new"])).toBe(addAt(COMMENTED, ["deep", "b", "c"], 1));
    expect(removeAt(COMMENTED, ["list"])).not.toContain('"list"');
    expect(removeAt(COMMENTED, ["list"])).toContain("// the large one");
    expect(removeAt(COMMENTED, ["deep"])).toContain("/* two */");
  });

  it("keeps a comment behind the last value there, and never writes into one", () => {
    const text = '{\n  "a": 1 // one\n}';
    expect(addAt(text, ["b"], 2)).toBe('{\n  "a": 1, // one\n  "b": 2\n}');
    expect(valueOf(readJsonTree(removeAt('{"a": 1, // one\n"b": 2}', ["b"])))).toEqual({ a: 1 });
  });

  it("takes a comma behind the last value for what it is", () => {
    const text = '{\n  "a": 1, // one\n  "b": [1, 2,],\n}';
    expect(read(text)).toEqual({ a: 1, b: [1, 2] });
    expect(addAt(text, ["c"], 3)).toBe('{\n  "a": 1, // one\n  "b": [1, 2,],\n  "c": 3\n}');
    expect(read(appendAt(text, ["b"], 3))).toEqual({ a: 1, b: [1, 2, 3] });
    expect(removeAt(text, ["b"])).toBe('{\n  "a": 1 // one\n,\n}');
    expect(removeAt('{\n  "a": 1, // one\n}', ["a"])).toBe("{\n   // one\n}");
    expect(read(removeItem('{"b": [1,]}', ["b"], 0))).toEqual({ b: [] });
  });

  it("keeps the line ends of the file", () => {
    expect(addAt('{\r\n  "a": 1\r\n}\r\n', ["b"], { c: 1 })).toBe(
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n',
    );
  });

  it("says what a plain edit of the value would say, for any JSON however it is written", () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
    const spaces = fc.constantFrom(undefined, 1, 2, 4, "\t");
    fc.assert(
      fc.property(json, spaces, fc.jsonValue(), fc.boolean(), (value, space, added, hasLastComma) => {
        const settings = Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__"));
        const plain = JSON.stringify(settings, undefined, space);
        // No text of JSON goes over a line's end.
        const text = hasLastComma ? plain.replaceAll(/([^\s,{[])(\n\s*[}\]])/g, "$1,$2") : plain;
        const [key, list] = ["a key of ours", "a list of ours"];
        const once = addAt(text, [key, "below"], added);
        expect(read(once)).toEqual({ ...read(text), [key]: { below: read(JSON.stringify(added)) } });
        expect(read(removeAt(once, [key]))).toEqual(read(text));
        const twice = appendAt(addAt(text, [list], [1]), [list], added);
        expect(read(twice)).toEqual({ ...read(text), [list]: [1, read(JSON.stringify(added))] });
        expect(read(removeItem(twice, [list], 0))).toEqual({
          ...read(text),
          [list]: [read(JSON.stringify(added))],
        });
        for (const name of Object.keys(settings)) {
          const { [name]: _, ...others } = read(text);
          expect(read(removeAt(text, [name]))).toEqual(others);
        }
      }),
    );
  });
});

describe("reading JSON", () => {
  it.each([
    ['{"a": 1,,}', "A name in quotes"],
    ["{,}", "A name in quotes"],
    ['{"a" 1}', "A colon"],
    ['{"a": }', "A value"],
    ['{"a": "x}', "A value"],
    ['{"a": 1', "A comma or"],
    ['{"a": 1} {', "Nothing may follow"],
    ['{"a": 1, "a": 2}', "twice"],
    ["{'a': 1}", "A name in quotes"],
    ["[".repeat(200), "too deeply"],
  ])("refuses %s", (text, problem) => {
    expect(() => readJsonTree(text)).toThrow(NotJson);
    expect(() => readJsonTree(text)).toThrow(problem);
  });
});

function read(text: string): Record<string, unknown> {
  return valueOf(readJsonTree(text)) as Record<string, unknown>;
}
