/** What differs between two runs of the same thing, and what stands for it. The order matters: what is longer comes first. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/[^\s"'`<>)\]]+/g, "<url>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>"],
  [/(?:\/private)?\/(?:tmp|var\/folders|dev\/shm)\/[^\s"'`:;,)\]]+/g, "<tmp>"],
  [/(?<![\w.])\/(?:[\w.@+-]+\/)+(?=[\w.@+-]+)/g, ""],
  [/\b(?:0x)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, "<hash>"],
  [/\b\d+(?:\.\d+)?\s?(?:ms|s|m|min|h|kB|KB|MB|GB|B|%)\b/g, "<n>"],
  [/\b\d+\b/g, "<n>"],
];

/** A message without what changes from run to run: addresses, times, temporary paths, ids, numbers. */
export function steady(message: string): string {
  const plain = VARYING.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), message);
  return plain.replaceAll(/\s+/g, " ").trim().toLowerCase();
}
