import type { RecentOutput } from "../../state/work-state.ts";
import { encode } from "../../../core/objects/encode.ts";
import { setOwn, type Json, type JsonObject } from "../../../core/objects/json.ts";
import { isRecord, textOf } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { runCollector, type CollectorCommand, type CollectorContext } from "./run-collector.ts";

/** What collectors brought, under the names that it has in a work state. */
export interface CollectedState {
  readonly variables: JsonObject;
  readonly recent_outputs: readonly RecentOutput[];
}

/** How many outputs a collector may bring: a work state keeps as many. */
const MOST_OUTPUTS = 10;

/**
 * Runs collectors, all at once. One that fails, takes too long or prints something else than JSON is reported to `warn`,
 * and brings nothing. Where two bring the same variable, the later one in the list wins.
 */
export async function collectCommands(
  collectors: readonly CollectorCommand[],
  context: CollectorContext & { readonly now: () => Date },
  warn: (text: string) => void,
): Promise<CollectedState> {
  const found = await Promise.all(
    collectors.map(async (collector): Promise<CollectedState> => {
      try {
        const json = parse(await runCollector(collector, context));
        return collector.into === "outputs" ? outputsOf(json, collector, context.now()) : variablesOf(json);
      } catch (error) {
        warn(
          `Collector ${oneLine(collector.name)} brought nothing: ${oneLine((error as Error).message).replace(/\.$/, "")}.`,
        );
        return { variables: {}, recent_outputs: [] };
      }
    }),
  );
  const variables: JsonObject = {};
  for (const part of found)
    for (const [name, value] of Object.entries(part.variables)) setOwn(variables, name, value);
  return { variables, recent_outputs: found.flatMap(({ recent_outputs }) => recent_outputs) };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error("it did not print JSON");
  }
}

function variablesOf(json: Json): CollectedState {
  if (!isRecord(json)) throw new Error("it did not print an object, whose fields are variables");
  const blank = Object.keys(json).some((name) => name.trim() === "" || name.trim() !== name);
  if (blank) throw new Error("it printed a variable without a proper name");
  // Refuses what a state cannot hold, such as 1e999, before it fails the whole checkpoint.
  encode({ variables: json });
  return { variables: json, recent_outputs: [] };
}

/** Outputs as a work state has them; what is not said of one is filled in. */
function outputsOf(json: Json, { name }: CollectorCommand, now: Date): CollectedState {
  const items = (Array.isArray(json) ? json : [json]).slice(-MOST_OUTPUTS);
  const recent_outputs = items.map((item): RecentOutput => {
    if (!isRecord(item)) throw new Error("it did not print an output, or a list of them");
    const output = textOf(item, "output");
    return {
      type: textOf(item, "type") ?? name,
      id: textOf(item, "id") ?? "",
      action: textOf(item, "action") ?? name,
      success: item["success"] !== false,
      timestamp: textOf(item, "timestamp") ?? now.toISOString(),
      ...(output !== undefined && { output }),
    };
  });
  return { variables: {}, recent_outputs };
}
