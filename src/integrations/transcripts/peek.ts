import { parseJson } from "../../text/untrusted.ts";
import { readTranscript } from "./read-lines.ts";

/** How far into a file is looked for what it is about. */
const MAX_LINES = 200;

/** The first thing that is found in the first lines of a transcript. Undefined when there is nothing, or no such file. */
export async function peek<T>(path: string, find: (line: unknown) => T | undefined): Promise<T | undefined> {
  try {
    for await (const { bytes, number } of readTranscript(path)) {
      const found = find(parseJson(bytes.toString("utf8")));
      if (found !== undefined) return found;
      if (number >= MAX_LINES) return undefined;
    }
  } catch {
    // A file that cannot be read is reported when it is imported, not while files are looked for.
  }
  return undefined;
}
