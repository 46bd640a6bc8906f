import type { Path } from "../../../core/objects/json.ts";
import { timerMs } from "../../../core/text/duration.ts";
import { count, type Field, list, record, text, valueThat } from "../../yaml/fields.ts";
import type { Problems } from "../../yaml/problems.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { compilePatterns } from "../../../core/redaction/custom-patterns.ts";
import { FAMILY_NAMES, LEVEL_NAMES } from "./summary-choices.ts";

const LONGEST_PROBE_MS = 10_000;

const probeTimeout = valueThat(
  "a time of at most 10s",
  (value) => {
    const ms = timerMs(value);
    return ms !== undefined && ms >= 1 && ms <= LONGEST_PROBE_MS;
  },
  "500ms or 2s",
  { type: "string" },
);

const LONGEST_COLLECTOR_MS = 30_000;

const collectorTimeout = valueThat(
  "a time of at most 30s",
  (value) => {
    const ms = timerMs(value);
    return ms !== undefined && ms >= 1 && ms <= LONGEST_COLLECTOR_MS;
  },
  "500ms or 5s",
  { type: "string" },
);

const oneOf = (words: readonly string[]): Field =>
  valueThat(`one of ${words.join(", ")}`, (value) => words.includes(value as string), words[0]!, {
    enum: words,
  });

const schemaName = valueThat(
  "the name of a schema",
  (value) => typeof value === "string" && /^[a-z_][a-z0-9_]{0,47}$/.test(value),
  "cairn_shop",
  { type: "string" },
);

/** Where a URL stands, a password may stand too: so what is there is not repeated. */
const variableName: Field = {
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

const store: Field = {
  ...storeFields,
  check: (value, path, problems) => {
    if (typeof value === "string" || Object.hasOwn(Object(value) as object, "url")) addNoUrl(path, problems);
    else storeFields.check(value, path, problems);
  },
};

/** A program and its arguments. A text would need a shell to be taken apart. */
const argv = valueThat(
  "a list of a program and its arguments",
  (value) => Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"),
  "[./scripts/queue.sh, --json]",
  { type: "array", items: { type: "string" }, minItems: 1 },
);

const collector = record(
  { name: text, command: argv, into: oneOf(["variables", "outputs"]), timeout: collectorTimeout },
  ["name", "command"],
);

const namedPattern = record({ name: text, pattern: text }, ["name", "pattern"]);

/** A pattern that cannot be used would let secrets through. */
const redactionPattern: Field = {
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
export function settingsIn(source: "project" | "user"): Field {
  const onlyIn = (wanted: typeof source, field: Field, why: string, remedy: string): Field => ({
    ...field,
    check: (value, path, problems) =>
      source === wanted
        ? field.check(value, path, problems)
        : problems.add(path, `"${path.join(".")}" ${why}`, remedy),
  });
  /** With these a project could harm the people who open it. */
  const ownOnly = (field: Field) =>
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
    probe_timeout: probeTimeout,
    dependencies: list(
      record({ name: text, endpoint: text, type: text, password_env: text }, ["name", "endpoint"]),
    ),
    redact: record({
      patterns: list(redactionPattern),
      allow: ownOnly(list(text)),
    }),
    collectors: list(collector),
    summary: record({ level: oneOf(LEVEL_NAMES), family: oneOf(FAMILY_NAMES) }),
    governance: valueThat(
      "on or off",
      (value) => typeof value === "boolean" || value === "on" || value === "off",
      "on",
      { enum: ["on", "off", true, false] },
    ),
    allow_endpoints: ownOnly(list(text)),
    remotes: list(record({ name: text, url: text }, ["name", "url"])),
    cache: text,
    store: onlyIn("project", store, "can only be set by a project.", "Put it into the project's cairn.yaml."),
    mirror: ownOnly(
      valueThat("true or false", (value) => typeof value === "boolean", "true", { type: "boolean" }),
    ),
  });
}
