/**
 * The contracts of a store, of a remote and of a checkpointer for LangGraph as tests, for any runner: each is done when they pass.
 *
 * @example
 * import { describe, it } from "node:test";
 * import { testStore } from "cairn-checkpoint/testing";
 *
 * describe("my store", () => testStore(openMyStore, { describe, it }));
 *
 * @packageDocumentation
 */
export type { StoreTestOptions } from "./store/suite.ts";
export type { TestRunner } from "./test-runner.ts";
export { testRemote } from "./test-remote.ts";
export type { VersionedBytes, Remote, Version } from "../capabilities/sync/contract.ts";
export type { OpenedSaver, SaverConfig, SaverTestOptions, SaverUnderTest } from "./saver/suite.ts";
export { testSaver } from "./saver/test-saver.ts";
export { testStore } from "./store/test-store.ts";
