import { CheckpointError } from "../../../core/errors.ts";
import { type Json, setOwn } from "../../../core/objects/json.ts";
import { commitWork } from "../commit-work.ts";
import { variableName } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { WORK } from "./verbs.ts";

export interface SetInput {
  readonly trail?: string | undefined;
  readonly key: string;
  readonly value: Json;
}

/** Sets a variable, which stays until it is unset. */
export async function setVariable(project: Project, { trail, key, value }: SetInput) {
  const name = variableName(key);
  let stored: readonly [string, Json] = [name, value];
  const { checkpoint } = await commitWork(project, {
    trail,
    fresh: { variables: Object.fromEntries([[name, value]]) },
    change: (draft, { variables }) => {
      // A name can hold a secret too; redaction has changed it then.
      for (const entry of Object.entries(variables)) {
        setOwn(draft.variables, ...entry);
        stored = entry;
      }
    },
  });
  return { checkpoint, key: stored[0], value: stored[1] };
}

/** Removes a variable. */
export async function unsetVariable(
  project: Project,
  { trail, key: typed }: InputOf<(typeof WORK)["unset"]>,
) {
  const key = variableName(typed);
  let value: Json = null;
  const { checkpoint } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh: {},
    change: ({ variables }) => {
      if (!Object.hasOwn(variables, key)) throw noSuchVariable(key, Object.keys(variables));
      value = variables[key] as Json;
      delete variables[key];
    },
  });
  return { checkpoint, key, value };
}

function noSuchVariable(key: string, known: readonly string[]): CheckpointError {
  return new CheckpointError("not-found", `There is no variable "${key}".`, {
    hint: "checkpoint load",
    details: { typed: key, known },
  });
}
