import { ID } from "./fields.ts";

const text = { type: "string", minLength: 1 } as const;
const id = { type: "string", pattern: ID.source, maxLength: 80 } as const;
const duration = {
  type: "string",
  pattern: "^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$",
  examples: ["500ms", "5s", "10m", "1h30m"],
} as const;
const command = {
  description: "A line for the shell, or the words of a program, which no shell sees.",
  oneOf: [text, { type: "array", minItems: 1, items: { type: "string" } }],
} as const;
const scalar = { type: ["string", "number", "boolean"] } as const;
const variables = {
  type: "object",
  propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_-]*$" },
  additionalProperties: scalar,
} as const;

const step = {
  type: "object",
  required: ["id"],
  additionalProperties: false,
  properties: {
    id: {
      ...id,
      description: "The step's name. Results are kept under it, so renaming a step makes it a new one.",
    },
    about: { ...text, description: "What is to be done, for people and for the agent." },
    phase: { ...text, description: "The phase that the step belongs to." },
    agent: {
      ...id,
      description: "Whose step it is: that role gets a handoff on stdin and in $CAIRN_HANDOFF.",
    },
    needs: {
      type: "array",
      items: text,
      description: "Steps to wait for. Without it, the step above; [] for none.",
    },
    if: {
      ...text,
      description: "Run only if this holds: inputs.NAME, results.STEP.FIELD, ==, !=, <, and, or, not.",
    },
    run: { ...command, description: "The command. Inputs arrive as $INPUT_NAME." },
    approve: {
      description: "A question for a person.",
      oneOf: [
        text,
        {
          type: "object",
          required: ["question"],
          additionalProperties: false,
          properties: { question: text, options: { type: "array", items: text } },
        },
      ],
    },
    review: {
      description: "Several reviewers at once; dissent is kept.",
      type: "object",
      required: ["reviewers", "run"],
      additionalProperties: false,
      properties: {
        reviewers: { type: "array", minItems: 1, uniqueItems: true, items: id },
        quorum: { type: "integer", minimum: 1 },
        run: command,
      },
    },
    workflow: { ...text, description: "Another workflow file in the same folder, as part of this one." },
    with: { ...variables, description: "Inputs of the nested workflow." },
    outputs: {
      type: "array",
      items: text,
      description: "Files that must be there in the end; patterns such as reports/*.json are allowed.",
    },
    verify: { ...command, description: "Proves the result, also when it is adopted after a crash." },
    retry: {
      oneOf: [
        { type: "integer", minimum: 0 },
        {
          type: "object",
          required: ["max"],
          additionalProperties: false,
          properties: { max: { type: "integer", minimum: 0 }, backoff: duration },
        },
      ],
    },
    timeout: duration,
    env: variables,
  },
  oneOf: [
    { required: ["run"] },
    { required: ["approve"] },
    { required: ["review"] },
    { required: ["workflow"] },
  ],
} as const;

/** The JSON Schema of a workflow file, for editors: `# yaml-language-server: $schema=…` completes and checks while typing. */
export const WORKFLOW_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A workflow of cairn-checkpoint",
  type: "object",
  required: ["name", "steps"],
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    name: { ...id, description: "The workflow's name; runs are named after it." },
    about: text,
    inputs: {
      type: "object",
      additionalProperties: {
        oneOf: [
          { type: "null" },
          {
            type: "object",
            additionalProperties: false,
            properties: {
              required: { type: "boolean" },
              default: scalar,
              about: text,
              secret: { type: "boolean", description: "Never stored; asked for again at every resume." },
            },
          },
        ],
      },
    },
    jobs: { type: "integer", minimum: 1, description: "How many steps may run at the same time." },
    env: { ...variables, description: "Variables of all steps." },
    steps: { type: "array", minItems: 1, items: step },
  },
} as const;
