/** The clients that can be set up, in the order in which that is done. */
export const SETUP_CLIENTS = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "cursor",
  "copilot",
  "agents-md",
] as const;

export type SetupClient = (typeof SETUP_CLIENTS)[number];
