import type { Capability } from "../../work/project/capability.ts";

/** Sessions of the Claude Agent SDK in a Cairn store. */
export const agentSdk: Capability = { name: "agent-sdk", needs: [] };
