import { CheckpointError } from "../../core/errors.ts";
import { faultsOf } from "./input-faults.ts";
import { MAX_TEXT } from "./command-words.ts";
import type { FieldSpec } from "./field.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { ToolWords, VerbEntry } from "./spec.ts";

type Fields = Readonly<Record<string, FieldSpec>>;

/** What a verb takes where it is not typed: all its fields but those that are only typed, or what a tool makes of them. */
type Described = Pick<VerbEntry, "arguments" | "options" | "wire">;
type Narrowed = Pick<ToolWords, "needs" | "only" | "also">;

function wireFields({ arguments: words, options, wire }: Described, { only, also }: Narrowed): Fields {
  const all: Fields = { ...words, ...options, ...wire };
  const isTaken = ([key, { typed }]: [string, FieldSpec]) =>
    typed !== true && (only === undefined || only.includes(key));
  return { ...Object.fromEntries(Object.entries(all).filter(isTaken)), ...also };
}

/** In JSON a name is in snake_case: `maxTokens` is `max_tokens`. */
const snakeCase = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The input of a verb as a JSON Schema. */
export function inputSchema(entry: Described, narrowed: Narrowed = {}): JsonSchema {
  const fields = Object.entries(wireFields(entry, narrowed));
  const isNeeded = (key: string, spec: FieldSpec) => mustBeGiven(spec) || narrowed.needs?.includes(key);
  const required = fields.flatMap(([key, spec]) => (isNeeded(key, spec) ? [snakeCase(key)] : []));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(
      fields.map(([key, spec]) => [
        snakeCase(key),
        { ...descriptionOf(spec), ...shapeOf(spec, isNeeded(key, spec)) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function descriptionOf({ told, about }: FieldSpec): JsonSchema {
  return told === "" ? {} : { description: told ?? `${about}.` };
}

/** What must be given: arguments that cannot be left out, and what says so. */
function mustBeGiven(spec: FieldSpec): boolean {
  if (spec.needed === true || spec.kind === "required" || spec.kind === "rest") return true;
  return spec.kind === "choice" && "value" in spec;
}

const MOST_ITEMS = 100;

function shapeOf(spec: FieldSpec, isNeeded = false): JsonSchema {
  // A sentence is called TEXT where it is typed; everything else is a name.
  const maxLength = spec.max ?? ("value" in spec && spec.value === "TEXT" ? MAX_TEXT : 200);
  const name = { type: "string", minLength: 1, maxLength };
  switch (spec.kind) {
    case "flag":
      return { type: "boolean" };
    case "number":
      return { type: "integer", minimum: spec.minimum, maximum: spec.maximum ?? Number.MAX_SAFE_INTEGER };
    case "choice":
      return { type: "string", enum: spec.choices };
    case "texts":
    case "rest":
      return {
        type: "array",
        ...(isNeeded && { minItems: 1 }),
        maxItems: spec.most ?? MOST_ITEMS,
        items: name,
      };
    case "values":
      return { type: "object", propertyNames: name, additionalProperties: VALUE };
    case "required":
    case "optional":
    case "text":
    // Times and pairs are only typed.
    case "duration":
    case "pairs":
      break;
  }
  return isNeeded || "names" in spec ? name : { type: "string", maxLength };
}

const VALUE = { anyOf: [{ type: "string", maxLength: MAX_TEXT }, { type: "number" }, { type: "boolean" }] };

interface ReadOptions {
  readonly narrowed?: Narrowed;
  /** How a refusal begins. */
  readonly what?: string;
  readonly hint?: string;
}

/** The input of a verb from JSON, under the names that its function knows. Throws `usage` with what is wrong. */
export function readInput(
  entry: Described,
  given: unknown,
  { narrowed = {}, what = "Invalid input", hint }: ReadOptions = {},
): Readonly<Record<string, unknown>> {
  const faults = faultsOf(given, inputSchema(entry, narrowed));
  if (faults.length > 0) throw new CheckpointError("usage", `${what}: ${inWords(faults)}.`, { hint });
  const sent = given as Readonly<Record<string, unknown>>;
  const keys = Object.keys(wireFields(entry, narrowed));
  return Object.fromEntries(
    keys.flatMap((key) => (Object.hasOwn(sent, snakeCase(key)) ? [[key, sent[snakeCase(key)]]] : [])),
  );
}

const MOST_FAULTS = 5;

const inWords = (faults: readonly string[]): string =>
  faults
    .slice(0, MOST_FAULTS)
    .map((fault) => fault.slice(0, 200))
    .join("; ");
