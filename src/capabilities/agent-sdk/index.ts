/**
 * Sessions of the Claude Agent SDK in a Cairn store.
 *
 * @packageDocumentation
 */
export { agentSdkSessionStore, type AgentSdkSessionStoreOptions } from "./session-store.ts";
export type {
  AgentSdkSessionStore,
  FoldSessionSummary,
  SessionKey,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "./types.ts";
