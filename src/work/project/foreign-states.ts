import type { JsonObject } from "../../core/objects/json.ts";

/** The states of another system's trails, told as work. */
export interface ForeignStates {
  /** How the names of its trails begin. */
  readonly prefix: string;
  readonly load: () => Promise<WorkOfState>;
}

/** What a briefing can say of a state and of the records attached to its checkpoint. Nothing of their shape is trusted. */
export type WorkOfState = (state: unknown, records: ReadonlyMap<string, Uint8Array>) => JsonObject;
