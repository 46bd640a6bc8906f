import { CheckpointError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import { markImported } from "../state/imported-marks.ts";
import type { WorkState } from "../state/work-state.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { ForeignFields, wrong } from "./foreign-fields.ts";
import { readAgentPipeline } from "./formats/agent-pipeline.ts";
import { readCheckpointDocument } from "./formats/checkpoint-document.ts";
import { readExecutionFile } from "./formats/execution-file.ts";
import { readPhaseFile } from "./formats/phase-file.ts";
import type { ForeignPipeline } from "./formats/pipeline.ts";
import { originOf, type ImportOrigin } from "./origin.ts";
import { parseForeignJson } from "../../core/trails/transfer/parse-json.ts";

type ImportFormat = "checkpoint" | "agent-pipeline" | "phase" | "execution";

/** What was read from a file, and how it changes the state that it is imported into. */
export interface Imported {
  readonly format: ImportFormat;
  /** Whether the file's own hash proves that it is what one of our stores wrote. */
  readonly proven: boolean;
  /** A whole state that takes the place of the old one, or parts that are merged into it. */
  readonly state?: JsonObject;
  readonly parts?: Partial<WorkState>;
  /** The pipeline of another tool that the file describes. */
  readonly pipeline?: ForeignPipeline;
  /** Who saved it, as the file says. */
  readonly agent_id?: string | null;
  readonly session_id?: string | null;
  /** What to note on the checkpoint. */
  readonly notes: string;
}

export interface ReadImportOptions {
  /** The file's name, for messages and for the provenance of what it holds. */
  readonly source: string;
  readonly now: Date;
  /**
   * Take the file's word for who recorded what, because it is the user's own export. Otherwise everything in it is
   * marked as imported, whatever it says: its hash proves that it was not changed, not who wrote it.
   */
  readonly trust?: boolean | undefined;
}

/** Reads the text of a checkpoint of ours, or of the state files that people already have, recognised by their shape. */
export function readImport(text: string, { source, now, trust }: ReadImportOptions): Imported {
  const json = parseForeignJson(text, source);
  if (!isRecord(json)) throw wrong(source, [], "an object", json);
  const origin = originOf(source, now);
  const format = recognise(json, source);
  if (format === "checkpoint") return readWhole(json, origin, trust === true);
  const fields = new ForeignFields(json, source);
  const read = READERS[format](fields, origin);
  const parts = markImported(read.parts, origin.by);
  const rest = fields.rest();
  return {
    format,
    proven: false,
    // What was not understood is kept under the name of its source.
    parts: Object.keys(rest).length === 0 ? parts : { ...parts, imported: { [source]: rest } },
    ...(read.pipeline && { pipeline: read.pipeline }),
    notes: `Imported from ${source}`,
  };
}

const READERS = {
  "agent-pipeline": readAgentPipeline,
  phase: readPhaseFile,
  execution: readExecutionFile,
};

function readWhole(json: JsonObject, origin: ImportOrigin, isTrusted: boolean): Imported {
  const { state, info, proven } = readCheckpointDocument(json, origin);
  const what = [info.checkpoint_id, info.notes].filter(Boolean).join(": ");
  return {
    format: "checkpoint",
    proven,
    state: isTrusted ? state : markImported(state, origin.by),
    agent_id: info.agent_id,
    session_id: info.session_id,
    notes: `Imported from ${origin.source}${what && ` (${what})`}`,
  };
}

/** The fields that only a file of that kind has. The first that fits is taken. */
const SHAPES: readonly (readonly [ImportFormat, readonly string[]])[] = [
  ["checkpoint", ["checkpoint_id"]],
  ["checkpoint", ["schema_version"]],
  ["agent-pipeline", ["workflow_id", "completed_agents"]],
  ["agent-pipeline", ["workflow_id", "current_agent"]],
  ["agent-pipeline", ["completed_agents", "current_agent"]],
  ["phase", ["current_phase"]],
  ["phase", ["phase_status"]],
  ["checkpoint", ["tasks", "variables"]],
  ["checkpoint", ["tasks", "phase"]],
  ["execution", ["tasks"]],
];

function recognise(json: JsonObject, source: string): ImportFormat {
  const found = SHAPES.find(([, names]) => names.every((name) => Object.hasOwn(json, name)));
  if (found) return found[0];
  const fields = Object.keys(json)
    .slice(0, 8)
    .map((name) => JSON.stringify(name));
  const what = fields.length === 0 ? "it has no fields" : `it has the fields ${fields.join(", ")}`;
  throw new CheckpointError("usage", `"${source}" is nothing that can be imported: ${what}.`, {
    hint: 'Known are: a checkpoint as JSON ("checkpoint_id"), checkpoint.json of an agent pipeline ("workflow_id", "completed_agents"), phase.json ("current_phase"), execution.json ("tasks").',
    details: { source },
  });
}
