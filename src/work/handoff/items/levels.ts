import type { Item } from "./item.ts";

/** The sizes by name, in tokens, the smallest first. */
export const LEVELS = { minimal: 500, compact: 1000, standard: 2000, full: 4000 } as const;

export type Level = keyof typeof LEVELS;

/**
 * What a level is not for is held back even if there is room: a reader who asks for the least wants to read little. Each
 * level includes everything in the one below it.
 */
export function isHeldBack(item: Item, level: Level | undefined): boolean {
  return level !== undefined && LEVELS[levelOf(item)] > LEVELS[level];
}

/** What a checkpoint says of itself, and what lies furthest back. */
const BACKGROUND: readonly string[] = ["checkpoint", "phases_completed"];

/** The lowest level that has an item: it follows from how much a briefing needs it. */
function levelOf({ id, section, tier }: Item): Level {
  if (tier <= 1 || section === "relevant") return "minimal";
  if (BACKGROUND.includes(id)) return "full";
  return tier === 2 ? "compact" : "standard";
}
