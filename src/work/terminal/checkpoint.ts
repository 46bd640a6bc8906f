import type { CheckpointInfo } from "../../core/trails/document.ts";
import { flatten, NULL_WHERE_ABSENT } from "../../core/trails/transfer/flat-document.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import type { Output } from "./output.ts";
import { layOut, recorded } from "./layout.ts";
import { ago, inUtc } from "../../core/text/time.ts";
import { workStateBlocks } from "./work-state.ts";

/** A checkpoint as `--json` prints it: flat, as seed documents have it. */
export async function checkpointDocument(info: CheckpointInfo, state: object): Promise<JsonObject> {
  const { countTokens } = await import("../handoff/tokens/token-counter.ts");
  const tokens = { estimated_tokens: countTokens(JSON.stringify(state)).estimate };
  const fields = state as JsonObject;
  const isMistakable =
    Object.hasOwn(fields, "schema") ||
    Object.hasOwn(fields, "messages") ||
    NULL_WHERE_ABSENT.some((field) => fields[field] === null);
  const absent = NULL_WHERE_ABSENT.filter((field) => !Object.hasOwn(fields, field));
  const nulls = Object.fromEntries(absent.map((field) => [field, null]));
  if (!isMistakable) return flatten({ ...info, state: { ...fields, ...nulls } }, tokens);
  return { ...flatten({ ...info, state: {} }, tokens), state: fields };
}

/** Who, when and why in one line: `main, 2 min ago, task, by my-agent` */
export function provenanceLine(info: CheckpointInfo, now: Date): string {
  const parts = [info.trail, ago(info.created_at, now), oneLine(info.trigger)];
  if (info.agent_id !== null) parts.push(`by ${oneLine(info.agent_id)}`);
  return parts.join(", ");
}

/** A whole checkpoint, for people. */
export function checkpointText(
  info: CheckpointInfo,
  state: object,
  { now, output }: { now: Date; output: Output },
): string {
  const { style } = output;
  const head = [
    style.yellow(info.checkpoint_id),
    style.dim(`${provenanceLine(info, now)} (${inUtc(info.created_at)})`),
    ...(info.notes === null ? [] : recorded(info.notes)),
  ].join("\n");
  const blocks = layOut(workStateBlocks(state, { now, style, limit: 20 }), output);
  return blocks === "" ? head : `${head}\n\n${blocks}`;
}
