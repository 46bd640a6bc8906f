import { describe, expect, it } from "vitest";

import { decode } from "./decode.ts";
import { diffStates } from "./diff.ts";
import { encode, recall } from "./encode.ts";
import { linksOf } from "./object-format.ts";
import { objectIdOf, type ObjectId } from "./object-id.ts";
import { remember } from "./remember.ts";

/** Objects whose names are right, whatever they say. */
function objectsOf(texts: readonly (string | Uint8Array)[]) {
  const objects = new Map<ObjectId, Uint8Array>();
  for (const text of texts) {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    objects.set(objectIdOf(bytes), bytes);
  }
  const other = encode({ list: [1], x: { y: "z" } });
  for (const { id, bytes } of other.objects) objects.set(id, bytes);
  return { objects, other: other.memory.root };
}

const idOf = (text: string) => objectIdOf(new TextEncoder().encode(text));
const [number, object, list, text] = ["V\n4294967295", 'V\n{"a":1}', "V\n[1,2]", 'V\n"ab"'];
const innerList = `A[[2,"${idOf(list)}"]]\n`;

/** Each list ends with the root. */
const HOSTILE: readonly (readonly [name: string, texts: readonly (string | Uint8Array)[]])[] = [
  ["a link to raw bytes", ["B\n1", `V[[["x"],"${idOf("B\n1")}"]]\n{"x":0}`]],
  ["raw bytes as a state", ["B\n{}"]],
  ["a link to the length of an array", [number, `V[[["list","length"],"${idOf(number)}"]]\n{"list":[0]}`]],
  ["a link beyond the end of an array", [number, `V[[["list",1],"${idOf(number)}"]]\n{"list":[0]}`]],
  ["a position that is a text", [number, `V[[["list","0"],"${idOf(number)}"]]\n{"list":[0]}`]],
  ["a key that is a number", [number, `V[[[0],"${idOf(number)}"]]\n{"0":0}`]],
  ["a key that objects inherit", [number, `V[[["toString"],"${idOf(number)}"]]\n{"x":0}`]],
  ["a step that is an object", [number, `V[[[{"a":1}],"${idOf(number)}"]]\n{"[object Object]":0}`]],
  ["a step that is no whole number", [number, `V[[["list",0.5],"${idOf(number)}"]]\n{"list":[0]}`]],
  ["a negative step", [number, `V[[["list",-1],"${idOf(number)}"]]\n{"list":[0]}`]],
  ["a link over something else than 0", [number, `V[[["x"],"${idOf(number)}"]]\n{"x":1}`]],
  [
    "two links to one place",
    [number, object, `V[[["x"],"${idOf(object)}"],[["x"],"${idOf(number)}"]]\n{"x":0}`],
  ],
  [
    "a link inside a link",
    [number, object, `V[[["x"],"${idOf(object)}"],[["x","a"],"${idOf(number)}"]]\n{"x":0}`],
  ],
  ["a link into a text", [number, `V[[["x","length"],"${idOf(number)}"]]\n{"x":"ab"}`]],
  ["an array made of an object", [object, `V[[["x"],"A",[[1,"${idOf(object)}"]]]]\n{"x":0}`]],
  ["a text made of an object", [object, `V[[["x"],"S",[[1,"${idOf(object)}"]]]]\n{"x":0}`]],
  ["a map made of a number", [number, `V[[["x"],"M",[[1,"${idOf(number)}"]]]]\n{"x":0}`]],
  ["a map made of an array", [list, `V[[["x"],"M",[[2,"${idOf(list)}"]]]]\n{"x":0}`]],
  ["an array made of a text", [text, `V[[["x"],"A",[[2,"${idOf(text)}"]]]]\n{"x":0}`]],
  ["a map made of an array's index", [list, innerList, `V[[["x"],"M",[[2,"${idOf(innerList)}"]]]]\n{"x":0}`]],
  ["a wrong count", [list, `V[[["x"],"A",[[3,"${idOf(list)}"]]]]\n{"x":0}`]],
  ["a count that is no number of elements", [list, `V[[["x"],"A",[[2.5,"${idOf(list)}"]]]]\n{"x":0}`]],
  [
    "a key that two children have",
    [object, `V[[["x"],"M",[[1,"${idOf(object)}"],[1,"${idOf(object)}"]]]]\n{"x":0}`],
  ],
  [
    "a value before an index, with a wrong count",
    [list, innerList, `V[[["x"],"A",[[2,"${idOf(list)}"],[3,"${idOf(innerList)}"]]]]\n{"x":0}`],
  ],
  ["a body that is no JSON", ["V\n{"]],
  ["a header that is no JSON", ["V[\n{}"]],
  ["a header that is not UTF-8", [Uint8Array.of(86, 255, 10, 123, 125)]],
  ["a body that is not UTF-8", [Uint8Array.of(86, 10, 34, 255, 34)]],
];

describe("objects that no writer of ours made", () => {
  it.each(HOSTILE)("refuses %s as corrupt, whoever reads it", async (_name, texts) => {
    const { objects, other } = objectsOf(texts);
    const root = [...objects.keys()][texts.length - 1] as ObjectId;
    const read = async () => objects;
    const corrupt = expect.objectContaining({ code: "corrupt" }) as unknown;
    await expect(decode(root, read)).rejects.toEqual(corrupt);
    await expect(remember(root, read)).rejects.toEqual(corrupt);
    await expect(diffStates(root, other, read)).rejects.toEqual(corrupt);
    await expect(diffStates(other, root, read)).rejects.toEqual(corrupt);
  });

  it("refuses a broken header as corrupt when only the links are wanted", () => {
    expect(() => linksOf(new TextEncoder().encode("V[\n{}"))).toThrow(
      expect.objectContaining({ code: "corrupt" }),
    );
  });

  it("takes time in proportion to the paths of links, however long", () => {
    const path = JSON.stringify(Array.from({ length: 200_000 }, () => 0));
    const links = `V[[${path},"${idOf(list)}"],[["x"],"${idOf(number)}"]]\n{}`;
    expect(linksOf(new TextEncoder().encode(links))).toEqual([idOf(list), idOf(number)]);
  });

  it("reads an empty map that is stored apart as a map", async () => {
    const empty = "V\n{}";
    const { objects } = objectsOf([empty, `V[[["x"],"${idOf(empty)}"]]\n{"x":0}`]);
    const root = [...objects.keys()][1] as ObjectId;
    expect(recall(await remember(root, async () => objects))).toEqual({ x: {} });
  });
});
