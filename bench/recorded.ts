import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** Recorded sessions are kept beside the checkout, never in it. */
const SHARED =
  process.env["CAIRN_RECORDED"] ?? join(fileURLToPath(new URL("../", import.meta.url)), "../shared");

export interface RecordedFile {
  readonly id: string;
  readonly lines: readonly string[];
}

/** The recorded sessions; undefined, and a word on stderr, where there are none. */
export function recordedFiles(): RecordedFile[] | undefined {
  const folder = join(SHARED, "sessions");
  if (!existsSync(folder)) {
    console.error(`bench: SKIPPED: there are no recorded sessions in "${SHARED}" ($CAIRN_RECORDED).`);
    return undefined;
  }
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl.gz"));
  return names.map((name) => ({
    id: basename(name, ".jsonl.gz"),
    lines: gunzipSync(readFileSync(join(folder, name)))
      .toString("utf8")
      .split("\n")
      .filter(Boolean),
  }));
}
