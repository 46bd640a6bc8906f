import * as documents from "@langchain/core/documents";
import * as messages from "@langchain/core/messages";
import { DeltaSnapshot, type SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import type { Json } from "../../core/objects/json.ts";
import { createValueCodec, type ValueKind } from "../../core/objects/more-than-json.ts";
import { createRedactor } from "../../core/redaction/redactor.ts";
import { own } from "../../core/text/untrusted.ts";

/** A class of LangChain's kind, whose instances may be brought back. */
type SerializableClass = abstract new (...args: never[]) => { lc_serializable: boolean };

export interface CodecOptions {
  /** Classes of LangChain's kind that states may hold beside messages and documents. All else comes back as plain data. */
  readonly classes?: readonly SerializableClass[] | undefined;
  /** Dumps and loads every value instead of us: the place to encrypt. */
  readonly serde?: SerializerProtocol | undefined;
  /** Takes secrets out of values before they are stored. They do not come back. */
  readonly redact?: boolean | undefined;
}

/** Turns what LangGraph hands over into JSON and back. */
export interface Codec {
  /** Whether the same value may be written differently each time. */
  readonly isSealed: boolean;
  /** JSON that may share parts with the value, so it has to be encoded before the caller continues. */
  readonly write: (value: unknown) => Promise<Json>;
  /** A fresh value. */
  readonly read: (json: Json) => Promise<unknown>;
}

/** By ourselves, or through a serde of the user's. What one wrote, the other refuses. */
export function createCodec({ classes = [], serde, redact = false }: CodecOptions): Codec {
  if (serde !== undefined) return sealingCodec(serde);
  const { write, read } = createValueCodec({ $lc: langChainKind(classes), $delta: DELTA, $sealed: SEALED });
  const redactor = redact ? createRedactor() : undefined;
  return {
    isSealed: false,
    write: async (value) => redactor?.redact(write(value)).value ?? write(value),
    read: async (json) => read(json),
  };
}

function sealingCodec(serde: SerializerProtocol): Codec {
  return {
    isSealed: true,
    write: async (value) => {
      const [type, bytes] = await serde.dumpsTyped(value);
      return { $sealed: [type, Buffer.from(bytes).toString("base64")] };
    },
    read: async (json) => {
      const [type, base64] = (own(json, "$sealed") ??
        refuse("was stored without the serde of this saver")) as string[];
      return serde.loadsTyped(type as string, Buffer.from(base64 as string, "base64"));
    },
  };
}

function refuse(why: string): never {
  throw new CheckpointError("refused", `A value of the thread ${why}.`, {
    hint: "Pass the serde that the thread was written with: new CairnSaver({ serde }).",
  });
}

const SEALED: ValueKind = {
  is: () => false,
  write: String,
  read: () => refuse("is sealed by a serde that this saver lacks"),
};

const DELTA: ValueKind = {
  is: (value) => own(value, "lg_name") === "DeltaSnapshot",
  write: ({ value }: DeltaSnapshot) => value,
  read: (value) => new DeltaSnapshot(value),
};

interface Serializable extends Record<string, unknown> {
  readonly lc_id: readonly string[];
  readonly lc_kwargs: Record<string, unknown>;
}

/** Objects of LangChain that are allowed: what it keeps in states by itself, and what the user names. */
function langChainKind(allowed: readonly SerializableClass[]): ValueKind {
  const known = Object.entries({ ...messages, ...documents }).filter(
    ([name, value]) => /(?:Message|MessageChunk|Document)$/.test(name) && typeof value === "function",
  );
  const classes = new Map<unknown, unknown>([
    ...known,
    ...allowed.map((each) => [nameOf(each), each] as const),
  ]);
  return {
    is: (value) => (value as { lc_serializable?: unknown }).lc_serializable === true,
    write: (value: Serializable) => {
      if (!classes.has(value.lc_id.at(-1))) throw unknownClass(value.lc_id);
      return { id: value.lc_id, kwargs: kwargsOf(value) };
    },
    read: ({ id, kwargs }: { id: string[]; kwargs: unknown }) => {
      const known = classes.get(id.at(-1)) as (new (kwargs: unknown) => unknown) | undefined;
      return known ? new known(kwargs) : { lc: 1, type: "constructor", id, kwargs };
    },
  };
}

function nameOf(given: SerializableClass): string {
  const { lc_name: name } = given as { lc_name?: () => string };
  return typeof name === "function" ? name.call(given) : given.name;
}

/** What an object was made with, with what was changed since. */
function kwargsOf(value: Serializable): Record<string, unknown> {
  const { lc_kwargs: given } = value;
  const kwargs: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(given), ...Object.keys(value)])) {
    const field = key in value ? value[key] : given[key];
    const isDerived = !(key in given) && (key === "type" || key.startsWith("lc_") || isEmpty(field));
    if (field !== undefined && !isDerived) kwargs[key] = field;
  }
  return kwargs;
}

function isEmpty(field: unknown): boolean {
  return typeof field === "object" && field !== null && Object.keys(field).length === 0;
}

function unknownClass(id: readonly string[]): CheckpointError {
  const name = id.at(-1) as string;
  return new CheckpointError("usage", `The state holds a "${name}", which could not be brought back.`, {
    hint: `Allow it: new CairnSaver({ classes: [${name}] }), or keep plain data in the state.`,
    details: { class: id.join("/") },
  });
}
