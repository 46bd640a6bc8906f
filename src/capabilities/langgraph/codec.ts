import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/objects/json.ts";
import { createRedactor, type Redactor } from "../../core/redaction/redactor.ts";
import { fromJson, toJson, type Classes } from "./values.ts";

/** A class of LangChain's kind, whose instances may be brought back. */
export type SerializableClass = abstract new (...args: never[]) => { lc_serializable: boolean };

export interface CodecOptions {
  readonly classes?: readonly SerializableClass[] | undefined;
  readonly serde?: SerializerProtocol | undefined;
  readonly redact?: boolean | undefined;
}

/** Turns what LangGraph hands over into JSON and back: itself, or through a serde of the user's, which may encrypt it. */
export class Codec {
  /** Whether the same value may be written differently each time. */
  readonly isSealed: boolean;
  readonly #serde: SerializerProtocol | undefined;
  readonly #redactor: Redactor | undefined;
  readonly #given: readonly SerializableClass[];
  #classes: Classes | undefined;

  constructor({ classes = [], serde, redact = false }: CodecOptions) {
    this.#given = classes;
    this.#serde = serde;
    this.#redactor = redact ? createRedactor() : undefined;
    this.isSealed = serde !== undefined;
  }

  /** JSON that may share parts with the value, so it has to be encoded before the caller goes on. */
  async write(value: unknown): Promise<Json> {
    if (this.#serde === undefined) {
      const classes = (this.#classes ??= await loadClasses(this.#given));
      const json = (toJson(value, classes) ?? null) as Json;
      return this.#redactor === undefined ? json : this.#redactor.redact(json).value;
    }
    const [type, bytes] = await this.#serde.dumpsTyped(value);
    return { $sealed: [type, Buffer.from(bytes).toString("base64")] };
  }

  /** A fresh value. What was sealed stays unreadable without its serde, and what was not is refused by one. */
  async read(json: Json): Promise<unknown> {
    const sealed = (json as JsonObject | null)?.["$sealed"] as [string, string] | undefined;
    if ((sealed === undefined) === this.isSealed) throw otherSerde(this.isSealed);
    if (sealed === undefined || this.#serde === undefined)
      return fromJson(json, (this.#classes ??= await loadClasses(this.#given)));
    return this.#serde.loadsTyped(sealed[0], Buffer.from(sealed[1], "base64"));
  }
}

/** What LangChain keeps in states by itself, and what the user allows beside it. */
async function loadClasses(given: readonly SerializableClass[]): Promise<Classes> {
  const classes = new Map<string, never>();
  for (const module of await Promise.all([messages(), documents()]))
    for (const [name, value] of Object.entries(module))
      if (/(?:Message|MessageChunk|Document)$/.test(name) && typeof value === "function")
        classes.set(name, value as never);
  for (const each of given) classes.set(nameOf(each), each as never);
  return classes;
}

// A program without LangChain's core has none of its objects in its states.
const messages = () => import("@langchain/core/messages").catch(() => ({}));
const documents = () => import("@langchain/core/documents").catch(() => ({}));

function nameOf(given: SerializableClass): string {
  const { lc_name: name } = given as { lc_name?: () => string };
  return typeof name === "function" ? name.call(given) : given.name;
}

function otherSerde(hasSerde: boolean): CheckpointError {
  return hasSerde
    ? new CheckpointError("refused", "A value of the thread was stored without the serde of this saver.", {
        hint: "Open the thread with a saver without one, or copy it: copyThread.",
      })
    : new CheckpointError("refused", "A value of the thread is sealed by a serde that this saver lacks.", {
        hint: "Pass the serde that the thread was written with: new CairnSaver({ serde }).",
      });
}
