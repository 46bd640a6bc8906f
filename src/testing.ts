/**
 * The store contract as tests, for any runner: a store is done when they pass.
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
export { testStore } from "./store/conformance/test-store.ts";
