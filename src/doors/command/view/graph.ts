import type { ObjectId } from "../../../core/objects/object-id.ts";

/** One checkpoint of a graph, and the lines drawn left of it and of the text below it. */
export interface GraphRow<Node> {
  readonly node: Node;
  /** Drawn above, where lines that forked come together. */
  readonly joins: readonly string[];
  readonly mark: string;
  /** Left of every further line of text. */
  readonly margin: string;
}

export interface GraphNode {
  readonly content_hash: ObjectId;
  readonly parent_hash: ObjectId | null;
}

/**
 * Draws the lanes of a history, newest first, as git and jj do: each lane waits for a checkpoint; where several
 * wait for the same one, they fork from it.
 */
export function drawGraph<Node extends GraphNode>(nodes: readonly Node[]): GraphRow<Node>[] {
  const lanes: (ObjectId | null)[] = [];
  return nodes.map((node) => {
    const waiting = lanes.flatMap((id, lane) => (id === node.content_hash ? [lane] : []));
    const lane = waiting[0] ?? freeLane(lanes);
    const joins = waiting.slice(1).map((other) => {
      const drawn = drawJoin(lanes, lane, other);
      lanes[other] = null;
      return drawn;
    });
    trimEnd(lanes);
    const width = Math.max(lanes.length, lane + 1);
    lanes[lane] = node.content_hash;
    const mark = drawLanes(lanes, width, lane);
    lanes[lane] = node.parent_hash;
    const margin = drawLanes(lanes, width);
    trimEnd(lanes);
    return { node, joins, mark, margin };
  });
}

/**
 * The same checkpoints, each with the next older one that is shown as its parent: what a filter left out, or was pruned,
 * lies between them. A trail whose fork point a filter left out ends where its first checkpoint is.
 */
export function linkShown<Node extends GraphNode & { readonly trail: string }>(
  nodes: readonly Node[],
  { isFiltered }: { readonly isFiltered: boolean },
): Node[] {
  const shown = new Set(nodes.map(({ content_hash }) => content_hash));
  return nodes.map((node, index) => {
    if (node.parent_hash === null || shown.has(node.parent_hash)) return node;
    const older = nodes.slice(index + 1).find(({ trail }) => trail === node.trail);
    if (older === undefined && !isFiltered) return node;
    return { ...node, parent_hash: older?.content_hash ?? null };
  });
}

function freeLane(lanes: readonly (ObjectId | null)[]): number {
  const free = lanes.indexOf(null);
  return free < 0 ? lanes.length : free;
}

function trimEnd(lanes: (ObjectId | null)[]): void {
  while (lanes.length > 0 && lanes.at(-1) === null) lanes.pop();
}

function drawLanes(lanes: readonly (ObjectId | null)[], width: number, marked?: number): string {
  return Array.from({ length: width }, (_, lane) => {
    if (lane === marked) return "o";
    return lanes[lane] ? "│" : " ";
  }).join(" ");
}

/** `├─╯`: the lane on the right ends in the one on the left, passing those between. */
function drawJoin(lanes: readonly (ObjectId | null)[], left: number, right: number): string {
  return lanes
    .map((id, lane) => {
      if (lane === left) return "├─";
      if (lane === right) return "╯ ";
      if (lane > left && lane < right) return id === null ? "──" : "│─";
      return id === null ? "  " : "│ ";
    })
    .join("")
    .trimEnd();
}
