/** Our part of a user's text file, between two lines that mark it. */
export interface MarkedBlock {
  readonly first: string;
  readonly last: string;
  readonly body: string;
}

/** Puts the block at the end, or in the place of an earlier version of it. */
export function addBlock(text: string, block: MarkedBlock): string {
  const written = `${block.first}\n${block.body.trimEnd()}\n${block.last}\n`;
  const place = findBlock(text, block);
  if (place !== undefined) return text.slice(0, place.start) + written + text.slice(place.end);
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return text + gap + written;
}

/** Takes the block out, with the empty line before it. */
export function removeBlock(text: string, block: MarkedBlock): string {
  const place = findBlock(text, block);
  if (place === undefined) return text;
  const before = text.slice(0, place.start);
  return (before.endsWith("\n\n") ? before.slice(0, -1) : before) + text.slice(place.end);
}

function findBlock(text: string, { first, last }: MarkedBlock): { start: number; end: number } | undefined {
  const start = text.indexOf(first);
  const end = start < 0 ? -1 : text.indexOf(last, start);
  if (end < 0) return undefined;
  const after = end + last.length;
  const newline = /^\r?\n/.exec(text.slice(after))?.[0].length ?? 0;
  return { start, end: after + newline };
}
