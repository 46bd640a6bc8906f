import type { Path } from "../../../core/objects/json.ts";
import { timerMs } from "../../../core/text/duration.ts";
import { check, type Faults } from "../../shape/check.ts";
import { closed, enumOf, flag, list, type Shape, type ValueOf, withMore } from "../../shape/shape.ts";
import { count, text, valueThat } from "../../yaml/words.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { compilePatterns } from "../../../core/redaction/custom-patterns.ts";
import { integrationFields } from "./integrations.ts";
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

const onOrOff = valueThat<"on" | "off" | boolean>(
  "on or off",
  (value) => typeof value === "boolean" || value === "on" || value === "off",
  "on",
  { enum: ["on", "off", true, false] },
);

const schemaName = valueThat<string>(
  "the name of a schema",
  (value) => typeof value === "string" && /^[a-z_][a-z0-9_]{0,47}$/.test(value),
  "cairn_shop",
  { type: "string" },
);

/** Where a URL stands, a password may stand too: so what is there is not repeated. */
const variableName: Shape<string> = withMore(
  { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
  {
    check: (value, path, faults) => {
      if (typeof value !== "string" || !/^[A-Za-z_]\w*$/.test(value)) addNoUrl(path, faults);
    },
  },
);

function addNoUrl(path: Path, faults: Faults): void {
  faults.add(
    path,
    "The URL of a store does not belong in this file: it may hold a password.",
    "Put the URL into an environment variable and write its name: store: { url_env: CAIRN_STORE_URL }",
  );
}

const storeFields = closed({ url_env: variableName, schema: schemaName }, ["url_env"]);

const store = withMore(storeFields, {
  check: (value, path, faults) => {
    if (typeof value === "string" || Object.hasOwn(Object(value) as object, "url")) addNoUrl(path, faults);
    else check(value, storeFields, faults, path);
  },
});

/** A program and its arguments. A text would need a shell to be taken apart. */
const argv = valueThat<readonly string[]>(
  "a list of a program and its arguments",
  (value) => Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"),
  "[./scripts/queue.sh, --json]",
  { type: "array", items: { type: "string" }, minItems: 1 },
);

const collector = closed(
  { name: text, command: argv, into: enumOf("variables", "outputs"), timeout: timeUpTo(30, "500ms or 5s") },
  ["name", "command"],
);

const namedPattern = closed({ name: text, pattern: text }, ["name", "pattern"]);

/** A pattern that cannot be used would let secrets through. */
const redactionPattern = withMore(namedPattern, {
  check: (value, path, faults) => {
    check(value, namedPattern, faults, path);
    if (!isRecord(value) || typeof value["name"] !== "string" || typeof value["pattern"] !== "string") return;
    try {
      compilePatterns([value as { name: string; pattern: string }], []);
    } catch (error) {
      if (!isCheckpointError(error, "usage")) throw error;
      faults.add(path, error.message, error.hint ?? "");
    }
  },
});

/** All settings of cairn.yaml and of the user's own config. */
export function settingsIn(source: "project" | "user") {
  const onlyIn = <V>(wanted: typeof source, field: Shape<V>, why: string, remedy: string): Shape<V> =>
    source === wanted
      ? field
      : withMore(field, {
          check: (_value, path, faults) => faults.add(path, `"${path.join(".")}" ${why}`, remedy),
        });
  /** With these a project could harm the people who open it. */
  const ownOnly = <V>(field: Shape<V>) =>
    onlyIn(
      "user",
      field,
      "cannot be set by a project.",
      "Put it into your own config: checkpoint help environment",
    );
  return closed({
    plan: text,
    agent_id: text,
    agent_tier: count(0),
    keep: count(1),
    probe_timeout: timeUpTo(10, "500ms or 2s"),
    dependencies: list(
      closed({ name: text, endpoint: text, type: text, password_env: text }, ["name", "endpoint"]),
    ),
    redact: closed({
      patterns: list(redactionPattern),
      allow: ownOnly(list(text)),
    }),
    collectors: list(collector),
    summary: closed({ level: enumOf(...LEVEL_NAMES), family: enumOf(...FAMILY_NAMES) }),
    governance: onOrOff,
    files: onOrOff,
    allow_endpoints: ownOnly(list(text)),
    remotes: list(closed({ name: text, url: text }, ["name", "url"])),
    cache: text,
    store: onlyIn("project", store, "can only be set by a project.", "Put it into the project's cairn.yaml."),
    mirror: ownOnly(flag),
    integrations: integrationFields,
    suggestions: ownOnly(onOrOff),
  });
}

/** What a config file may say. */
export type ConfigFile = ValueOf<ReturnType<typeof settingsIn>>;
