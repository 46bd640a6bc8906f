import type { Mutant } from "./mutant.ts";

const HOSTILE = ["tests/remote/hostile-bucket.test.ts"];
const TWO_MACHINES = ["tests/remote/two-machines.test.ts"];

/** What a remote cannot do to a store, and machines cannot do to each other. */
export const REMOTE_MUTANTS: readonly Mutant[] = [
  {
    guard: "hash of every pack and manifest that is pulled",
    file: "src/capabilities/sync/remote-trails.ts",
    from: "if (sealing.nameOf(kind, bytes) === name) return bytes;",
    to: 'if (name !== "") return bytes;',
    tests: HOSTILE,
  },
  {
    guard: "a head is that of its trail",
    file: "src/capabilities/sync/remote-trails.ts",
    from: 'if (sealing.nameOf("heads", head.trail) !== name)',
    to: 'if (name === "")',
    tests: HOSTILE,
  },
  {
    guard: "a pack does not speak for the store that it comes to",
    file: "src/capabilities/sync/packs/pack.ts",
    from: "if (records?.some(([key]) => isOfThisStore(key))) throw",
    to: "if (records?.some(([key]) => isOfThisStore(`other ${key}`))) throw",
    tests: ["src/capabilities/sync/packs/pack.test.ts"],
  },
  {
    guard: "compare-and-swap of a remote's head",
    file: "src/capabilities/sync/remote-trails.ts",
    from: "sealing.seal(name, bytes), from)) !== undefined",
    to: "sealing.seal(name, bytes), (await remote.get(name))?.version ?? from)) !== undefined",
    tests: ["src/capabilities/sync/push-and-pull.test.ts"],
    only: "another machine has moved meanwhile",
  },
  {
    guard: "a trail moves only to what holds its own head",
    file: "src/capabilities/sync/pull.ts",
    from: "local === undefined || (await isPartOf(store, local, remote.head))",
    to: "local === undefined || (await isKnown(store, local))",
    tests: ["src/capabilities/sync/push-and-pull.test.ts"],
  },
  {
    guard: "a pulled run is marked before it moves",
    file: "src/capabilities/sync/pull.ts",
    from: "await options.beforeMove?.();\n  await store.commit({ ...last, trail, head: { from: local }, adopts, revives: true });",
    to: "await store.commit({ ...last, trail, head: { from: local }, adopts, revives: true });\n  await options.beforeMove?.();",
    tests: TWO_MACHINES,
    only: "marked as pulled",
  },
  {
    guard: "an old head that was put back is refused",
    file: "src/capabilities/sync/remotes/pull.ts",
    from: "if (!(await isOldHead(link, remote))) return;",
    to: 'if (link.known.name !== "") return;',
    tests: TWO_MACHINES,
    only: "refuses an old head",
  },
  {
    guard: "a push refers to no pack that is about to be deleted",
    file: "src/capabilities/sync/push.ts",
    from: "const isChanged = epoch.number !== epochNumber || epoch.number !== (remote?.epoch ?? epochNumber);",
    to: "const isChanged = epoch.number < epochNumber;",
    tests: ["tests/remote/deleted-packs.test.ts"],
  },
];
