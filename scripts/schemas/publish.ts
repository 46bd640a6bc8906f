import * as z from "zod";
import { POLICY } from "../../src/capabilities/governance/policy/schema.ts";
import type { JsonSchema } from "./work-state-schema.ts";
import { SPECS } from "../../src/doors/command/table.ts";
import { fields, text, texts } from "../../src/work/verbs/json-schema.ts";
import { CHECKPOINT_DOCUMENT, DEFINITIONS, ERROR_DOCUMENT } from "./parts.ts";
import { RUN_EVENT_DOCUMENT } from "./run-event.ts";

/** The JSON Schemas of everything that `--json` prints, by file name: what the folder schemas holds. */
export function publishedSchemas(): Map<string, JsonSchema> {
  const files = new Map<string, JsonSchema>();
  for (const { key, name, about, result } of SPECS) {
    const document = result?.();
    if (document === undefined) throw new Error(`checkpoint ${name} --json has no schema.`);
    if (document === null) continue;
    files.set(
      `${key.replaceAll(" ", "-")}.json`,
      complete(key, `checkpoint ${name} --json: ${about}`, document),
    );
  }
  files.set(
    "run-event.json",
    complete(
      "run event",
      "What happens in a run, while checkpoint run --json or resume --json goes on",
      RUN_EVENT_DOCUMENT,
    ),
  );
  files.set("cairn-policy.json", { title: "cairn.policy.yaml: what agents may do", ...z.toJSONSchema(POLICY) });
  files.set("version.json", complete("version", "checkpoint --version --json", fields({ version: text })));
  files.set("error.json", complete("error", "What goes wrong, on stderr with --json", ERROR_DOCUMENT));
  return files;
}

/** A document with its name, what was said on the way, and the definitions that it refers to. */
function complete(command: string, title: string, document: JsonSchema): JsonSchema {
  const schema = `cairn/${command.replaceAll(" ", "-")}@1`;
  const { properties, required } = whole(document) as { properties: JsonSchema; required: readonly string[] };
  const all = {
    type: "object",
    properties: { schema: { const: schema }, ...properties, messages: texts },
    required: ["schema", ...required],
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:cairn:${schema.slice("cairn/".length).replace("@", ":")}`,
    title,
    ...all,
    $defs: used(all),
  };
}

/** With the documents in it that are no shared piece, because they are as large as all the rest. */
function whole(document: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(document).replaceAll('{"$ref":"#/$defs/checkpoint"}', () => JSON.stringify(CHECKPOINT_DOCUMENT)),
  ) as JsonSchema;
}

/** Only those definitions that a document refers to, directly or through others. */
function used(document: JsonSchema, found: Record<string, JsonSchema> = {}): Record<string, JsonSchema> {
  for (const [, name = ""] of JSON.stringify(document).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    const definition = DEFINITIONS[name];
    if (definition === undefined || Object.hasOwn(found, name)) continue;
    found[name] = definition;
    used(definition, found);
  }
  return found;
}

const LINE_WIDTH = 110;

/** A schema as the text of its file: lists of words stand on one line where they fit, as our formatter has them. */
export function schemaText(schema: JsonSchema): string {
  const text = JSON.stringify(schema, null, 2).replaceAll(
    /^(.*)\[\n([^[\]{}]*)\n *\](,?)$/gm,
    (whole, start: string, list: string, end: string) => {
      const words = list.split("\n").map((line) => line.trim());
      const line = `${start}[${words.join(" ")}]${end}`;
      return line.length <= LINE_WIDTH ? line : whole;
    },
  );
  return `${text}\n`;
}
