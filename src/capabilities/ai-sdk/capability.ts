import type { Capability } from "../../work/project/capability.ts";

/** Chats of the AI SDK in a Cairn store. */
export const aiSdk: Capability = { name: "ai-sdk", needs: [] };
