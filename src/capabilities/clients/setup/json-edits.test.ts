import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson, valueOf } from "./json-document.ts";
import { addAt, appendAt, removeAt, replaceAt } from "./json-edits.ts";

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
        } },
    "new": {
        "x": [
            1
        ]
    }
}
`);
    expect(removeAt(removeAt(added, ["new"]), ["deep", "b"])).toBe(COMMENTED);
    expect(removeAt(COMMENTED, ["list"])).toBe(COMMENTED.replace('"list": [1, 2],', ""));
    expect(removeAt(COMMENTED, ["deep"])).toBe(
      COMMENTED.replace("[1, 2],", "[1, 2]").replace('\n    "deep": { "a": true }', ""),
    );
    expect(removeAt(COMMENTED, ["list", 1])).toBe(COMMENTED.replace("[1, 2]", "[1]"));
    expect(replaceAt(COMMENTED, ["list", 0], { x: 1 })).toContain(`[{
            "x": 1
        }, 2], /* two */`);
  });

  it("keeps a comment behind the last value there, and never writes into one", () => {
    const text = '{\n  "a": 1 // one\n}';
    expect(addAt(text, ["b"], 2)).toBe('{\n  "a": 1, // one\n  "b": 2\n}');
    expect(read(addAt('{\n  "a": 1 /* over\n two lines */\n}', ["b"], 2))).toEqual({ a: 1, b: 2 });
    expect(removeAt('{"a": 1, // one\n"b": 2}', ["b"])).toBe('{"a": 1 // one\n}');
    expect(removeAt('{"a": 1 /* , */, /* , */ "b": 2}', ["b"])).toBe('{"a": 1 /* , */ /* , */}');
  });

  it("takes a comma behind the last value for what it is, and leaves one", () => {
    const text = '{\n  "a": 1, // one\n  "b": [1, 2,],\n}';
    expect(read(text)).toEqual({ a: 1, b: [1, 2] });
    expect(addAt(text, ["c"], 3)).toBe('{\n  "a": 1, // one\n  "b": [1, 2,],\n  "c": 3,\n}');
    expect(appendAt(text, ["b"], 3)).toContain("[1, 2, 3,]");
    expect(removeAt(text, ["b"])).toBe('{\n  "a": 1, // one\n}');
    expect(removeAt('{\n  "a": 1, // one\n}', ["a"])).toBe("{ // one\n}");
    expect(removeAt('{"b": [1,]}', ["b", 0])).toBe('{"b": []}');
  });

  it("keeps the line ends of the file", () => {
    expect(addAt('{\r\n  "a": 1\r\n}\r\n', ["b"], { c: 1 })).toBe(
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n',
    );
  });

  it("says what a plain edit of the value would say, and takes it back byte for byte, for any JSON", () => {
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
        expect(read(once)).toEqual({ ...read(text), [key]: { below: asRead(added) } });
        expect(removeAt(once, [key])).toBe(text);
        const other = addAt(text, [list], [1]);
        const twice = appendAt(other, [list], added);
        expect(read(twice)).toEqual({ ...read(text), [list]: [1, asRead(added)] });
        expect(removeAt(twice, [list, 1])).toBe(other);
        expect(read(removeAt(twice, [list, 0]))).toEqual({ ...read(text), [list]: [asRead(added)] });
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
    ['{"a": 1,,}', "Property name expected"],
    ["{,}", "Value expected"],
    ['{"a" 1}', "Colon expected"],
    ['{"a": }', "Value expected"],
    ['{"a": "x}', "Unexpected end of string"],
    ['{"a": 1', "Close brace expected"],
    ['{"a": 1} {', "End of file expected"],
    ['{"a": 1, "b": {"c": 1, "c": 2}}', '"c" appears twice'],
    ["{'a': 1}", "Invalid symbol"],
    ["[".repeat(1_000_000), "too deeply"],
    ["", "Value expected"],
  ])("refuses %s", (text, problem) => {
    expect(() => readJson(text)).toThrow(problem);
  });

  it("reads past a byte order mark", () => {
    expect(addAt('\u{FEFF}{"a": 1}', ["b"], 2)).toBe('\u{FEFF}{"a": 1, "b": 2}');
  });
});

function read(text: string): Record<string, unknown> {
  return valueOf(readJson(text)) as Record<string, unknown>;
}

function asRead(value: unknown): unknown {
  return valueOf(readJson(JSON.stringify(value)));
}
