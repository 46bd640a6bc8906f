import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type * as z from "zod";
import { CheckpointError } from "../../errors.ts";
import { visible } from "../../text/visible.ts";
import { type ClientRequest, sessionOf } from "./client.ts";
import { explainError } from "../../project/explain-error.ts";
import type { Project } from "../../project/project.ts";
import type { AgentDoor } from "./agent-door.ts";
import { failed, failureOf } from "./failure.ts";

/** What a tool answers: data that its schema describes, and the same in words. */
export interface ToolAnswer {
  readonly data: object;
  readonly text: string;
}

/** A tool, described once: name, words, schemas and what it does. */
export interface Tool<Input extends z.ZodType, Output extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly run: (input: z.output<Input>, call: ToolRequest) => Promise<ToolAnswer | InputRequiredResult>;
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

export function addTool<Input extends z.ZodType, Output extends z.ZodType>(
  server: McpServer,
  door: AgentDoor,
  { name, title, description, input, output, annotations, run }: Tool<Input, Output>,
): void {
  const inputSchema = tolerant(input);
  server.registerTool(
    name,
    { title, description, inputSchema, outputSchema: output, annotations },
    (checked, context) =>
      door.underway(async (): Promise<CallToolResult | InputRequiredResult> => {
        try {
          const session = sessionOf({ server, context });
          if (session !== undefined) door.whereabouts.hear(session);
          const messages: string[] = [];
          const tell = (text: string) => void messages.push(text);
          const project = await door.project({ server, context }, { message: tell, warning: tell });
          const answer = await run(argumentsOf(checked, name) as z.output<Input>, {
            door,
            project,
            server,
            context,
          });
          if (!isAnswer(answer)) return answer;
          const notes = messages.map((message) => `Note: ${message}`);
          return {
            content: [{ type: "text", text: visible([answer.text, ...notes].join("\n")) }],
            structuredContent: { ...answer.data, ...(messages.length > 0 && { messages }) },
          };
        } catch (error) {
          return failed(failureOf(explainError(error)));
        }
      }),
  );
}

function isAnswer(answer: ToolAnswer | InputRequiredResult): answer is ToolAnswer {
  return "data" in answer && "text" in answer;
}

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
