import type { Path } from "../../../core/objects/json.ts";
import { timerMs } from "../../../core/text/duration.ts";
import { count, type Field, flag, list, record, text, type ValueOf, valueThat } from "../../yaml/fields.ts";
import type { Problems } from "../../yaml/problems.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { compilePatterns } from "../../../core/redaction/custom-patterns.ts";
import { FAMILY_NAMES, LEVEL_NAMES } from "./summary-choices.ts";

const timeUpTo = (seconds: number, example: string) =>
  valueThat<string>(
    `a time of at most ${seconds}s`,
    (value) => {
      const ms = timerMs(value);
      return ms !== undefined && ms >= 1 && ms <= seconds * 1000;
    },
    example,
    { type: "string" },
  );

const oneOf = <const Word extends string>(words: readonly Word[]) =>
  valueThat<Word>(`one of ${words.join(", ")}`, (value) => words.includes(value as Word), words[0]!, {
    enum: words,
  });

const schemaName = valueThat<string>(
  "the name of a schema",
  (value) => typeof value === "string" && /^[a-z_][a-z0-9_]{0,47}$/.test(value),
  "cairn_shop",
  { type: "string" },
);

/** Where a URL stands, a password may stand too: so what is there is not repeated. */
const variableName: Field<string> = {
  schema: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
  check: (value, path, problems) => {
    if (typeof value !== "string" || !/^[A-Za-z_]\w*$/.test(value)) addNoUrl(path, problems);
  },
};

function addNoUrl(path: Path, problems: Problems): void {
  problems.add(
    path,
    "The URL of a store does not belong in this file: it may hold a password.",
    "Put the URL into an environment variable and write its name: store: { url_env: CAIRN_STORE_URL }",
  );
}

const storeFields = record({ url_env: variableName, schema: schemaName }, ["url_env"]);

const store: typeof storeFields = {
  ...storeFields,
  check: (value, path, problems) => {
    if (typeof value === "string" || Object.hasOwn(Object(value) as object, "url")) addNoUrl(path, problems);
    else storeFields.check(value, path, problems);
  },
};

/** A program and its arguments. A text would need a shell to be taken apart. */
const argv = valueThat<readonly string[]>(
  "a list of a program and its arguments",
  (value) => Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"),
  "[./scripts/queue.sh, --json]",
  { type: "array", items: { type: "string" }, minItems: 1 },
);

const collector = record(
  { name: text, command: argv, into: oneOf(["variables", "outputs"]), timeout: timeUpTo(30, "500ms or 5s") },
  ["name", "command"],
);

const namedPattern = record({ name: text, pattern: text }, ["name", "pattern"]);

/** A pattern that cannot be used would let secrets through. */
const redactionPattern: typeof namedPattern = {
  ...namedPattern,
  check: (value, path, problems) => {
    const found = problems.all.length;
    namedPattern.check(value, path, problems);
    if (problems.all.length > found) return;
    try {
      compilePatterns([value as { name: string; pattern: string }], []);
    } catch (error) {
      if (!isCheckpointError(error, "usage")) throw error;
      problems.add(path, error.message, error.hint ?? "");
    }
  },
};

/** All settings of cairn.yaml and of the user's own config. */
export function settingsIn(source: "project" | "user") {
  const onlyIn = <V>(wanted: typeof source, field: Field<V>, why: string, remedy: string): Field<V> => ({
    ...field,
    check: (value, path, problems) =>
      source === wanted
        ? field.check(value, path, problems)
        : problems.add(path, `"${path.join(".")}" ${why}`, remedy),
  });
  /** With these a project could harm the people who open it. */
  const ownOnly = <V>(field: Field<V>) =>
    onlyIn(
      "user",
      field,
      "cannot be set by a project.",
      "Put it into your own config: checkpoint help environment",
    );
  return record({
    plan: text,
    agent_id: text,
    agent_tier: count(0),
    keep: count(1),
    probe_timeout: timeUpTo(10, "500ms or 2s"),
    dependencies: list(
      record({ name: text, endpoint: text, type: text, password_env: text }, ["name", "endpoint"]),
    ),
    redact: record({
      patterns: list(redactionPattern),
      allow: ownOnly(list(text)),
    }),
    collectors: list(collector),
    summary: record({ level: oneOf(LEVEL_NAMES), family: oneOf(FAMILY_NAMES) }),
    governance: valueThat<"on" | "off" | boolean>(
      "on or off",
      (value) => typeof value === "boolean" || value === "on" || value === "off",
      "on",
      { enum: ["on", "off", true, false] },
    ),
    allow_endpoints: ownOnly(list(text)),
    remotes: list(record({ name: text, url: text }, ["name", "url"])),
    cache: text,
    store: onlyIn("project", store, "can only be set by a project.", "Put it into the project's cairn.yaml."),
    mirror: ownOnly(flag),
  });
}

/** What a config file may say. */
export type ConfigFile = ValueOf<ReturnType<typeof settingsIn>>;
