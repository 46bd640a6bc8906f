import type { Cairn } from "../../state/cairn.ts";
import type { LentStore } from "../../sessions/context.ts";
import { commitState } from "../commit-state.ts";
import { gates } from "../gate.ts";

/**
 * A store as sessions get it: with the project's own way to commit, so that what hooks save asks the same gate as every
 * verb. Where there is one, it knows the agent better than the client does.
 */
export function lentStore(cairn: Cairn): LentStore {
  const gate = gates.get(cairn);
  const recordedAs = (client: string | undefined) =>
    gate ? { agent_id: gate.agent ?? client, agent_tier: gate.tier() } : { agent_id: client };
  return {
    cairn,
    recordedAs,
    commit: async ({ options, ...change }) => {
      const signed = { ...options, ...recordedAs(options.agent_id) };
      return (await commitState(cairn, { ...change, options: signed })).committed;
    },
  };
}
