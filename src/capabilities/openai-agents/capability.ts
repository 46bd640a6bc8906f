import type { Capability } from "../../work/project/capability.ts";

/** Sessions of the OpenAI Agents SDK in a Cairn store. */
export const openaiAgents: Capability = { name: "openai-agents", needs: [] };
