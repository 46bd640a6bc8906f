import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { textOf } from "../../core/text/untrusted.ts";
import { CLIENT_NAMES, CLIENTS } from "../../work/clients/clients.ts";
import type { Session } from "../../work/sessions/session.ts";

/** A longer text is not taken for an id. */
const LONGEST_ID = 200;

/** A request, and the server that it came to. */
export interface ClientRequest {
  readonly server: McpServer;
  /** Undefined for what no request is known of, such as a list of resources. */
  readonly context?: ServerContext | undefined;
}

/** What the program on the other side calls itself, in letters that mean nothing anywhere. */
export function clientName({ server, context }: ClientRequest): string {
  const info = envelopeOf(context)[CLIENT_INFO_META_KEY] as Implementation | undefined;
  const { name } = info ?? server.server.getClientVersion() ?? { name: "" };
  return name.replaceAll(/[^\w.-]+/g, "-").slice(0, 60) || "mcp";
}

/** The session that a request belongs to, where the client says it with each call of a tool. */
export function sessionOf(asked: ClientRequest): Session | undefined {
  const program = clientName(asked);
  const client = CLIENT_NAMES.find((name) => program.startsWith(name) && CLIENTS[name].namesSessionInCalls);
  if (client === undefined) return undefined;
  const { _meta: meta } = asked.context?.mcpReq ?? {};
  const id = textOf(meta, "sessionId", "threadId");
  return id === undefined || id.length > LONGEST_ID ? undefined : { id, client: CLIENTS[client].id };
}

/** Whether the client can put a form before the person. One that says nothing about the kind means forms. */
export function canAsk({ server, context }: ClientRequest): boolean {
  const declared = envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Clients of the newer protocol say who they are with each request, earlier ones once at the beginning. */
function envelopeOf(context: ServerContext | undefined): Readonly<Record<string, unknown>> {
  return context?.mcpReq.envelope ?? {};
}
