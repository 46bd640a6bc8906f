import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import { visible } from "../../core/text/visible.ts";
import type { InputOf } from "../../work/verbs/field.ts";
import { inputSchema, readInput } from "../../work/verbs/read-input.ts";
import type { ToolWords, VerbEntry } from "../../work/verbs/spec.ts";
import { type ClientRequest, sessionOf } from "./client.ts";
import { explainError } from "../../work/project/explain-error.ts";
import type { Project } from "../../work/project/project.ts";
import type { AgentDoor } from "./agent-door.ts";
import { failed, failureOf } from "./failure.ts";
import { standardSchema } from "./standard-schema.ts";

/** A verb that agents are offered. */
type ToolEntry = Pick<VerbEntry, "arguments" | "options" | "wire"> & { readonly tool: ToolWords };

/** What the tool of an entry takes. */
type ToolInput<Entry extends ToolEntry> = Narrowed<InputOf<Entry>, Entry["tool"]> & Also<Entry["tool"]>;
type Narrowed<Input, Tool> = Tool extends { readonly only: readonly (infer Name)[] }
  ? Pick<Input, Name & keyof Input>
  : Input;
type Also<Tool> = Tool extends { readonly also: infer Fields extends WireFields }
  ? InputOf<{ readonly wire: Fields }>
  : unknown;
type WireFields = NonNullable<VerbEntry["wire"]>;

/**
 * What a tool does with its verb. It has no output schema: clients send the tools to the model with every request, and none
 * sends that part.
 */
interface ToolWork<Input, Data extends object> {
  readonly run: (input: Input, call: ToolRequest) => Promise<Data | InputRequiredResult>;
  /** The same data in words. */
  readonly text: (data: Data) => string;
}

/** What a tool works with. */
export interface ToolRequest extends ClientRequest {
  readonly door: AgentDoor;
  readonly project: Project;
  readonly context: ServerContext;
}

const MARKS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

/** What the effects of tools are in the words of the protocol. */
export const ANNOTATIONS: Readonly<Record<ToolWords["effect"], ToolAnnotations>> = {
  looks: { ...MARKS, readOnlyHint: true, idempotentHint: true },
  adds: MARKS,
  sets: { ...MARKS, idempotentHint: true },
};

/** Adds a tool to a server. */
export type AddTool = (server: McpServer, door: AgentDoor) => void;

export function tool<const Entry extends ToolEntry, Data extends object>(
  entry: Entry,
  work: ToolWork<ToolInput<Entry>, Data>,
): AddTool {
  const { name, title, description, effect } = entry.tool;
  const described = {
    title,
    description,
    annotations: ANNOTATIONS[effect],
    inputSchema: standardSchema(inputSchema(entry, entry.tool), { isTolerant: true }),
  };
  return (server, door) =>
    server.registerTool(name, described, (sent, context) =>
      door.underway(() =>
        call(entry, work, { sent, door, server, context }).catch((error: unknown) =>
          failed(failureOf(explainError(error))),
        ),
      ),
    );
}

async function call<Entry extends ToolEntry, Data extends object>(
  entry: Entry,
  { run, text }: ToolWork<ToolInput<Entry>, Data>,
  { sent, door, ...asked }: Omit<ToolRequest, "project"> & { readonly sent: unknown },
): Promise<CallToolResult | InputRequiredResult> {
  const session = sessionOf(asked);
  if (session !== undefined) door.whereabouts.hear(session);
  const messages: string[] = [];
  const tell = (message: string) => void messages.push(message);
  const project = await door.project(asked, { message: tell, warning: tell });
  const { name } = entry.tool;
  const input = readInput(entry, sent, {
    narrowed: entry.tool,
    what: `Invalid arguments for "${name}"`,
    hint: `The tool's input schema says what "${name}" takes.`,
  });
  const data = await run(input as ToolInput<Entry>, { ...asked, door, project });
  if (isInputRequired(data)) return data;
  const notes = messages.map((message) => `Note: ${message}`);
  return {
    content: [{ type: "text", text: visible([text(data), ...notes].join("\n")) }],
    structuredContent: { ...data, ...(messages.length > 0 && { messages }) },
  };
}

const isInputRequired = (data: object): data is InputRequiredResult =>
  "resultType" in data && data.resultType === "input_required";
