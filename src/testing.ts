/**
 * The contracts of a store and of a remote as tests, for any runner: each is done when they pass.
 *
 * @example
 * import { describe, it } from "node:test";
 * import { testStore } from "cairn-checkpoint/testing";
 *
 * describe("my store", () => testStore(openMyStore, { describe, it }));
 *
 * @packageDocumentation
 */
export type { StoreTestOptions, TestRunner } from "./store/conformance/suite.ts";
export { testRemote } from "./remote/conformance.ts";
export type { Kept, Remote, Version } from "./remote/contract.ts";
export { testStore } from "./store/conformance/test-store.ts";
