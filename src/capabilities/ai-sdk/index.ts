/**
 * Chats of the AI SDK in a Cairn store.
 *
 * @packageDocumentation
 */
export { openChatStore, type ChatBranch, type ChatStore } from "./chat-store.ts";
