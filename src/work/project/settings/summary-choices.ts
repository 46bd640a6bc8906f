import type { Level } from "../../handoff/items/levels.ts";
import type { HandoffOptions } from "../../handoff/options.ts";

// Written out, because the table of commands needs them: it loads nothing that counts tokens.
export const LEVEL_NAMES = ["minimal", "compact", "standard", "full"] as const satisfies readonly Level[];
export const FAMILY_NAMES = [
  "claude",
  "claude-3",
  "gpt",
  "gemini",
  "any",
] as const satisfies readonly NonNullable<HandoffOptions["family"]>[];
