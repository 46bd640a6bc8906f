import { CheckpointError } from "../../core/errors.ts";
import type { Store } from "../../core/store/contract.ts";

/**
 * The same store, for callers that no gate has asked. A ledger in a store is the mark that it is governed: from its first
 * entry on, nothing is written here. Asked before each write, because governance may begin while the store is open.
 */
export function refuseGoverned(store: Store): Store {
  let isGoverned = false;
  const asking =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      isGoverned ||= (await store.readLog({ limit: 1 })).length > 0;
      if (isGoverned) throw governed();
      return write(...args);
    };
  const methods: Record<string | symbol, unknown> = {
    commit: asking(store.commit.bind(store)),
    attach: asking(store.attach.bind(store)),
    remove: asking(store.remove.bind(store)),
  };
  // A store may be a class of the caller's own, whose methods a copy would lose.
  const guarded = new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
    set: (_target, name, value) => Reflect.set(methods, name, value),
  });
  return guarding(guarded, store);
}

const guards = new WeakMap<Store, Store>();

/** Remembers which store is behind a guard. */
export function guarding(guarded: Store, store: Store): Store {
  guards.set(guarded, store);
  return guarded;
}

/** The store behind its guard: for the project's own gate, which asks for what is done with it now. */
export const unguarded = (store: Store): Store => guards.get(store) ?? store;

function governed(): CheckpointError {
  return new CheckpointError("refused", "This store is governed: openCairn only reads it.", {
    hint: 'Write through the project, which asks the gate: openProject from "cairn-checkpoint/project", then its verbs or project.stores.open(project, "write").',
    details: { governed: true },
  });
}
