import { realPath } from "../../../../work/machine/folders.ts";
import { own, textOf } from "../../../../core/text/untrusted.ts";
import { ourHandlers } from "../merge-hooks.ts";

/** Where hooks come from, as Codex names it, and the hooks themselves by event. */
export interface HookSource {
  /** The path of a file of hooks, or a plugin's own name for it. */
  readonly name: string;
  readonly hooks: unknown;
}

/**
 * How many of our hooks Codex does not run: it asks the person to trust each new one, and records the answer in its
 * config with a hash of the hook. Only Codex can check that hash; our hooks do not change.
 */
export function countUntrusted(
  config: Readonly<Record<string, unknown>>,
  { name, hooks }: HookSource,
): number {
  const states = own(config["hooks"], "state");
  // Codex follows links before it names a file.
  const names = [name, realPath(name)];
  return ourHandlers(hooks).filter(({ event, group, handler }) => {
    const place = `${event.replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase()}:${group}:${handler}`;
    return !names.some((source) => isTrusted(own(states, `${source}:${place}`)));
  }).length;
}

function isTrusted(state: unknown): boolean {
  return textOf(state, "trusted_hash") !== undefined && own(state, "enabled") !== false;
}
