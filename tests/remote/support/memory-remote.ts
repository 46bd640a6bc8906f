import { createHash } from "node:crypto";
import type { Remote, Version } from "../../../src/capabilities/sync/contract.ts";

/** A remote in memory, whose objects a test may look at and change. */
export function memoryRemote(objects = new Map<string, Uint8Array>()): Remote {
  const versionOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex") as Version;
  return {
    label: "memory",
    list: async (prefix) => [...objects.keys()].filter((name) => name.startsWith(prefix)),
    get: async (name) => {
      const bytes = objects.get(name);
      return bytes && { bytes, version: versionOf(bytes) };
    },
    put: async (name, bytes) => void objects.set(name, Uint8Array.from(bytes)),
    compareAndSwap: async (name, bytes, from) => {
      const present = objects.get(name);
      if ((present && versionOf(present)) !== from) return undefined;
      objects.set(name, Uint8Array.from(bytes));
      return versionOf(bytes);
    },
    remove: async (name) => void objects.delete(name),
  };
}
