/** A page of a bucket's listing: keys, and what to ask for the next one with. */
export function readListing(xml: string): { keys: string[]; next: string | undefined } {
  const textsOf = (tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, text = ""]) => unescapeXml(text));
  const isCut = textsOf("IsTruncated")[0]?.trim() === "true";
  return { keys: textsOf("Key"), next: isCut ? textsOf("NextContinuationToken")[0] : undefined };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (ENTITIES[name] ?? whole),
  );
}
