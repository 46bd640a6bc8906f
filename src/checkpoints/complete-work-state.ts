import { CheckpointError } from "../errors.ts";
import { isRecord } from "../text/untrusted.ts";
import { emptyWorkState, type WorkState } from "./work-state.ts";

/** Adds the lists and maps that a state lacks; one that has something else in their place holds no work. */
export function completeWorkState(state: WorkState, trail: string): void {
  for (const [field, empty] of Object.entries(emptyWorkState())) {
    const found = state[field];
    if (found === undefined) state[field] = empty;
    else if (Array.isArray(empty) ? !Array.isArray(found) : !isRecord(found)) {
      throw new CheckpointError(
        "usage",
        `Trail "${trail}" holds no work state: its "${field}" is something else.`,
        {
          hint: "Choose another trail: checkpoint list --all",
          details: { trail, field },
        },
      );
    }
  }
}
