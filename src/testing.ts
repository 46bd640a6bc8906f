export type { StoreTestOptions, TestRunner } from "./store/conformance/suite.ts";
export { testStore } from "./store/conformance/test-store.ts";
