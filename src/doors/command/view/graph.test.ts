import { describe, expect, it } from "vitest";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { drawGraph, linkShown } from "./graph.ts";

/** Draws `b<a` (b with parent a) lines, newest first. */
function draw(...lines: string[]): string[] {
  const nodes = lines.map((line) => {
    const [name = "", parent] = line.split("<");
    return { content_hash: name as ObjectId, parent_hash: (parent as ObjectId | undefined) ?? null };
  });
  return drawGraph(nodes).flatMap(({ node, joins, mark }) => [...joins, `${mark} ${node.content_hash}`]);
}

describe("drawGraph", () => {
  it("draws one trail as one line", () => {
    expect(draw("c<b", "b<a", "a")).toEqual(["o c", "o b", "o a"]);
  });

  it("joins trails where they forked", () => {
    expect(draw("d<b", "c<a", "b<a", "a")).toEqual(["o d", "│ o c", "o │ b", "├─╯", "o a"]);
  });

  it("joins several at one place, passing what lies between", () => {
    expect(draw("x<p", "d<a", "c<a", "b<a", "a", "p")).toEqual([
      "o x",
      "│ o d",
      "│ │ o c",
      "│ │ │ o b",
      "│ ├─╯ │",
      "│ ├───╯",
      "│ o a",
      "o p",
    ]);
  });

  it("connects what is shown, whatever was left out between", () => {
    const shown = (...lines: string[]) =>
      lines.map((line) => {
        const [trail = "", name = "", parent = ""] = line.split(/[ <]/);
        return { trail, content_hash: name as ObjectId, parent_hash: parent as ObjectId };
      });
    const linked = (isFiltered: boolean, ...lines: string[]) =>
      linkShown(shown(...lines), { isFiltered }).map(({ parent_hash }) => parent_hash);
    expect(linked(true, "main e<d", "try x<c", "main b<a")).toEqual(["b", null, null]);
    // What is older than all that is shown still goes on below it.
    expect(linked(false, "main e<d", "try x<c", "main b<a")).toEqual(["b", "c", "a"]);
  });

  it("uses a lane again when its trail has ended", () => {
    expect(draw("b", "c<a", "a")).toEqual(["o b", "o c", "o a"]);
  });
});
