/** A page of a bucket's listing: keys, and what to ask for the next one with. */
export function readListing(xml: string): { keys: string[]; next: string | undefined } {
  const textsOf = (tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, text = ""]) => unescapeXml(text));
  const isCut = textsOf("IsTruncated")[0]?.trim() === "true";
  return { keys: textsOf("Key"), next: isCut ? textsOf("NextContinuationToken")[0] : undefined };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const LAST_CODE_POINT = 0x10_ff_ff;

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= LAST_CODE_POINT ? String.fromCodePoint(point) : whole;
  });
}
