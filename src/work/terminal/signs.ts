import type { Style } from "./output.ts";
import { words } from "../state/words.ts";

/** How each status of a task, a step or a run is shown: its sign, and a colour for how urgent it is. */
const STATUSES: Readonly<Record<string, readonly [sign: string, colour?: keyof Style]>> = {
  completed: ["[x]", "green"],
  running: ["[>]", "cyan"],
  in_progress: ["[>]", "cyan"],
  awaiting_approval: ["[?]", "yellow"],
  paused: ["[!]", "yellow"],
  interrupted: ["[!]", "yellow"],
  blocked: ["[!]", "red"],
  failed: ["[!]", "red"],
  corrupt: ["[!]", "red"],
  waiting: ["[~]"],
  skipped: ["[-]"],
  cancelled: ["[-]", "dim"],
  archived: ["[-]", "dim"],
  pending: ["[ ]"],
};

/** `[x]` */
export function statusSign(status: string, style: Style): string {
  return painted(status, STATUSES[status]?.[0] ?? "[?]", style);
}

/** `awaiting approval` */
export function statusText(status: string, style: Style): string {
  return painted(status, words(status), style);
}

function painted(status: string, text: string, style: Style): string {
  const colour = STATUSES[status]?.[1];
  return colour === undefined ? text : style[colour](text);
}
