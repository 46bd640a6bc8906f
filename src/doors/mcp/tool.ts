import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type * as z from "zod";
import { CheckpointError } from "../../core/errors.ts";
import { visible } from "../../core/text/visible.ts";
import { type ClientRequest, sessionOf } from "./client.ts";
import { explainError } from "../../work/project/explain-error.ts";
import type { Project } from "../../work/project/project.ts";
import type { AgentDoor } from "./agent-door.ts";
import { failed, failureOf } from "./failure.ts";

/**
 * A tool, described once: name, words, the schema of its verb, and what it does. It has no output schema: clients send the
 * tools to the model with every request, and none sends that part.
 */
interface ToolSpec<Input extends z.ZodType, Data extends object> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolAnnotations;
  readonly run: (input: z.output<Input>, call: ToolRequest) => Promise<Data | InputRequiredResult>;
  /** The same data in words. */
  readonly text: (data: Data) => string;
}

/** What a tool works with. */
export interface ToolRequest extends ClientRequest {
  readonly door: AgentDoor;
  readonly project: Project;
  readonly context: ServerContext;
}

/** Looks at what is there. */
export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds a checkpoint; nothing that was saved before is changed. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Adds a checkpoint, and a second call with the same words changes nothing more. */
export const SETS: ToolAnnotations = { ...ADDS, idempotentHint: true };

/** Adds a tool to a server. */
export type AddTool = (server: McpServer, door: AgentDoor) => void;

export function tool<Input extends z.ZodType, Data extends object>(spec: ToolSpec<Input, Data>): AddTool {
  const { name, title, description, annotations } = spec;
  const described = {
    title,
    description,
    annotations,
    inputSchema: tolerant(spec.input),
  };
  return (server, door) =>
    server.registerTool(name, described, (checked, context) =>
      door.underway(() =>
        call(spec, door, checked, { server, context }).catch((error: unknown) =>
          failed(failureOf(explainError(error))),
        ),
      ),
    );
}

async function call<Input extends z.ZodType, Data extends object>(
  { name, run, text }: ToolSpec<Input, Data>,
  door: AgentDoor,
  checked: CheckedArguments,
  asked: Pick<ToolRequest, "server" | "context">,
): Promise<CallToolResult | InputRequiredResult> {
  const session = sessionOf(asked);
  if (session !== undefined) door.whereabouts.hear(session);
  const messages: string[] = [];
  const tell = (message: string) => void messages.push(message);
  const project = await door.project(asked, { message: tell, warning: tell });
  const data = await run(argumentsOf(checked, name) as z.output<Input>, { ...asked, door, project });
  if (isInputRequired(data)) return data;
  const notes = messages.map((message) => `Note: ${message}`);
  return {
    content: [{ type: "text", text: visible([text(data), ...notes].join("\n")) }],
    structuredContent: { ...data, ...(messages.length > 0 && { messages }) },
  };
}

const isInputRequired = (data: object): data is InputRequiredResult =>
  "resultType" in data && data.resultType === "input_required";

type CheckedArguments = { readonly value: unknown } | { readonly problems: readonly string[] };

/** A schema that marks wrong arguments instead of refusing them, so that the answer has our own form of errors. */
function tolerant(schema: z.ZodType): StandardSchemaWithJSON<unknown, CheckedArguments> {
  const standard = schema["~standard"] as StandardSchemaWithJSON["~standard"];
  return {
    "~standard": {
      version: standard.version,
      vendor: "cairn",
      jsonSchema: standard.jsonSchema,
      validate: async (value): Promise<{ value: CheckedArguments }> => {
        const result = await standard.validate(value);
        if (result.issues === undefined) return { value: { value: result.value } };
        return { value: { problems: result.issues.slice(0, 5).map(inWords) } };
      },
    },
  };
}

function inWords({ message, path = [] }: { message: string; path?: readonly unknown[] | undefined }): string {
  const place = path.map((part) => String(typeof part === "object" && part !== null ? "" : part)).join(".");
  return `${place === "" ? "" : `${place}: `}${message}`.slice(0, 200);
}

function argumentsOf(checked: CheckedArguments, tool: string): unknown {
  if ("value" in checked) return checked.value;
  throw new CheckpointError("usage", `Invalid arguments for "${tool}": ${checked.problems.join("; ")}.`, {
    hint: `The tool's input schema says what "${tool}" takes.`,
  });
}
