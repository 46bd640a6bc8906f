/** Our part of a user's text file, between two lines that mark it. */
export interface MarkedBlock {
  readonly first: string;
  readonly last: string;
  readonly body: string;
}

/** Puts the block at the end, or in place of an earlier version of it. */
export function addBlock(text: string, block: MarkedBlock): string {
  const written = `${block.first}\n${block.body.trimEnd()}\n${block.last}\n`;
  const place = findBlock(text, block);
  if (place !== undefined) return text.slice(0, place.start) + written + place.others + text.slice(place.end);
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return text + gap + written;
}

/** Takes the block out, with the empty line before it. What somebody else wrote between the marks stays. */
export function removeBlock(text: string, block: MarkedBlock): string {
  const place = findBlock(text, block);
  if (place === undefined) return text;
  const before = text.slice(0, place.start);
  const isAlone = before.endsWith("\n\n") && place.others === "";
  return (isAlone ? before.slice(0, -1) : before) + place.others + text.slice(place.end);
}

interface FoundBlock {
  readonly start: number;
  readonly end: number;
  /** The lines between the marks that are not ours. */
  readonly others: string;
}

function findBlock(text: string, { first, last, body }: MarkedBlock): FoundBlock | undefined {
  const start = text.indexOf(first);
  const end = start < 0 ? -1 : text.indexOf(last, start);
  if (end < 0) return undefined;
  const after = end + last.length;
  const newline = /^\r?\n/.exec(text.slice(after))?.[0].length ?? 0;
  const ours = new Set(["", ...body.split("\n").map((line) => line.trimEnd())]);
  const lines = text.slice(start + first.length, end).split("\n");
  const others = lines.filter((line) => !ours.has(line.trimEnd()));
  return { start, end: after + newline, others: others.map((line) => `${line}\n`).join("") };
}
