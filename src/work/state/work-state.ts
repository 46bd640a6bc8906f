import { CheckpointError } from "../../core/errors.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { type StateField, FIELD_NAMES, type FieldName, fieldOf, FIELDS } from "./fields.ts";
import { read } from "../shape/read.ts";
import type { ValueOf } from "../shape/shape.ts";

export type { AgentSession } from "./agent-session.ts";
export type {
  Command,
  Decision,
  Dependency,
  Phase,
  PhaseStatus,
  Provenance,
  RecentOutput,
  Remark,
  Task,
  TaskStatus,
  Workspace,
} from "./items.ts";

type Table = typeof FIELDS;
type LastingName = { [Name in FieldName]: Table[Name] extends { empty: unknown } ? Name : never }[FieldName];

/** The state of agent work. Every part may be missing or empty; unknown fields are kept, never dropped. */
export type WorkState = { [Name in LastingName]: ValueOf<Table[Name]["shape"]> } & {
  [Name in Exclude<FieldName, LastingName>]?: ValueOf<Table[Name]["shape"]>;
} & { [unknown: string]: unknown };

/** How many touched files of a session are remembered, the latest first. */
export const MOST_FILES_TOUCHED = 500;

/**
 * The work state before anything is known.
 *
 * @example
 * const state = { ...emptyWorkState(), goal: "Ship the login page" };
 */
export function emptyWorkState(): WorkState {
  return Object.fromEntries(
    FIELD_NAMES.flatMap((name) => {
      const empty = fieldOf(name)?.empty;
      return empty === undefined ? [] : [[name, empty()]];
    }),
  ) as WorkState;
}

/**
 * A state as our code may trust it. Any program may commit any JSON: what is not in the form of its field is absent here,
 * and entries of a list that do not fit are left out. Unknown fields are kept. What is stored stays as it is.
 */
export function readWorkState(stored: unknown): WorkState {
  const state: Record<string, unknown> = { ...emptyWorkState(), ...(isRecord(stored) && stored) };
  for (const name of FIELD_NAMES) {
    if (state[name] === undefined) continue;
    const { shape, empty }: StateField = FIELDS[name];
    const value = read(shape, state[name]) ?? empty?.();
    if (value === undefined) delete state[name];
    else state[name] = value;
  }
  return state as WorkState;
}

/** Adds the lists and maps that a state lacks; one that has something else in their place holds no work. */
export function completeWorkState(state: WorkState, trail: string): void {
  for (const [field, empty] of Object.entries(emptyWorkState())) {
    if (state[field] === undefined) state[field] = empty;
    else if (read<unknown>(FIELDS[field as FieldName].shape, state[field]) === undefined)
      throw new CheckpointError(
        "usage",
        `Trail "${trail}" holds no work state: its "${field}" is something else.`,
        { hint: "Choose another trail: checkpoint list --all", details: { trail, field } },
      );
  }
}
