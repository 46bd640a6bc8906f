import type { ObjectId } from "../objects/object-id.ts";
import type { Store } from "../store/contract.ts";

/**
 * A store that reads each object once. A command looks at the newest state and then commits on top of it; objects
 * never change, and rebuilding one from its differences takes milliseconds. Only for a process that ends soon:
 * nothing is ever forgotten.
 */
export function rememberingStore(store: Store): Store {
  const known = new Map<ObjectId, Uint8Array>();
  const readObjects = async (ids: readonly ObjectId[]) => {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) for (const [id, bytes] of await store.readObjects(missing)) known.set(id, bytes);
    const found = new Map<ObjectId, Uint8Array>();
    for (const id of ids) {
      const bytes = known.get(id);
      if (bytes !== undefined) found.set(id, bytes);
    }
    return found;
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === "readObjects") return readObjects;
      const value: unknown = Reflect.get(target, name, target);
      // Methods of a class with private fields must be called on the object itself.
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}
