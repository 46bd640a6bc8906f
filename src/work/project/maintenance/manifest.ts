import { join } from "node:path";
import { readBounded } from "../../machine/read-bounded.ts";
import type { Imported } from "../../import/read-import.ts";
import { parseForeignJson } from "../../../core/trails/transfer/parse-json.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import type { Notices } from "../project.ts";

const MAX_MANIFEST_BYTES = 2 ** 20;

/**
 * Adds what was asked for to a pipeline of agents: it is in the `manifest.json` beside its checkpoint. Without one such a
 * pipeline cannot be resumed there, so it is not resumed here without a question either.
 */
export function withManifest<Found extends Imported>(
  { notices }: { readonly notices: Notices },
  imported: Found,
  folder: string | undefined,
): Found {
  const { pipeline } = imported;
  if (pipeline?.unit !== "agent" || folder === undefined) return imported;
  const { request, problem } = readManifest(join(folder, "manifest.json"));
  if (problem !== undefined) notices.warning(problem);
  const problems = problem === undefined ? pipeline.problems : [...pipeline.problems, problem];
  return { ...imported, pipeline: { ...pipeline, problems, ...(request !== undefined && { request }) } };
}

function readManifest(path: string): { readonly request?: string; readonly problem?: string } {
  const { bytes, problem } = readBounded(path, MAX_MANIFEST_BYTES);
  if (bytes === undefined)
    return { problem: `Cannot load manifest: manifest.json beside the file: ${problem}.` };
  try {
    const json = parseForeignJson(bytes.toString("utf8"), "manifest.json");
    const request = isRecord(json) ? json["request"] : undefined;
    return typeof request === "string" && request.trim() !== "" ? { request } : {};
  } catch (error) {
    return { problem: `Cannot load manifest: ${(error as Error).message}` };
  }
}
