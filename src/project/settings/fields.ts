import { FAMILY_NAMES, LEVEL_NAMES } from "./summary-choices.ts";

/** What a field of a config file may hold. */
export type FieldSpec = {
  readonly required?: boolean;
  /** Settings with which a project could harm whoever opens it. */
  readonly userOnly?: boolean;
} & (
  | { readonly kind: "value"; readonly wanted: string; readonly convert: (value: unknown) => unknown }
  | { readonly kind: "list"; readonly of: FieldSpec }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, FieldSpec>> }
);

const text = {
  kind: "value",
  wanted: "a text",
  convert: (value) => (typeof value === "string" && value !== "" ? value : undefined),
} as const satisfies FieldSpec;

const oneOf = (words: readonly string[]): FieldSpec => ({
  kind: "value",
  wanted: `one of ${words.join(", ")}`,
  convert: (value) => (words.includes(value as string) ? value : undefined),
});

const positive: FieldSpec = {
  kind: "value",
  wanted: "a whole number of at least 1",
  convert: (value) => (Number.isSafeInteger(value) && (value as number) >= 1 ? value : undefined),
};

/** In milliseconds. */
const time: FieldSpec = {
  kind: "value",
  wanted: "a time like 500ms or 2s, at most 10s",
  convert: (value) => {
    const [, digits, unit] = /^(\d{1,5})(ms|s)$/.exec(String(value)) ?? [];
    const ms = Number(digits) * (unit === "s" ? 1000 : 1);
    return ms >= 1 && ms <= 10_000 ? ms : undefined;
  },
};

/** All settings of cairn.yaml and of the user's own config. */
export const CONFIG_FIELDS: Readonly<Record<string, FieldSpec>> = {
  plan: text,
  keep: positive,
  probe_timeout: time,
  dependencies: {
    kind: "list",
    of: {
      kind: "object",
      fields: {
        name: { ...text, required: true },
        endpoint: { ...text, required: true },
        type: text,
        password_env: text,
      },
    },
  },
  redact: {
    kind: "object",
    fields: {
      patterns: {
        kind: "list",
        of: {
          kind: "object",
          fields: { name: { ...text, required: true }, pattern: { ...text, required: true } },
        },
      },
      allow: { kind: "list", of: text, userOnly: true },
    },
  },
  summary: { kind: "object", fields: { level: oneOf(LEVEL_NAMES), family: oneOf(FAMILY_NAMES) } },
  allow_endpoints: { kind: "list", of: text, userOnly: true },
};
