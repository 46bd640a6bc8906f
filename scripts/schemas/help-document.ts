import type { JsonSchema } from "./work-state-schema.ts";
import { enumOf, fields, list, nullable, nullableText, text, texts } from "./parts.ts";

const option = fields({
  name: text,
  short: nullableText,
  kind: enumOf("flag", "text", "texts", "number", "duration", "choice", "pairs"),
  value: nullableText,
  about: text,
  choices: nullable(texts),
  minimum: { type: ["integer", "null"] },
});

const command = fields({
  name: text,
  group: text,
  about: text,
  usage: text,
  examples: list(fields({ command: text, why: text })),
  arguments: list(
    fields({
      name: text,
      kind: enumOf("required", "optional", "rest", "choice"),
      about: text,
      choices: nullable(texts),
    }),
  ),
  options: list(option),
  global_options: list(option),
  details: nullableText,
});

/** What `help` prints, and `--help` after any command: the text, and as data what it is about. */
export const HELP_DOCUMENT: JsonSchema = fields({
  topic: nullableText,
  text,
  command: nullable(command),
  commands: nullable(list(fields({ name: text, group: text, about: text }))),
});
