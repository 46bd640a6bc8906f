import { describe, it } from "vitest";

import { testStore } from "./conformance/test-store.ts";
import { openMemoryStore } from "./memory.ts";

describe("memory store", () => {
  testStore(openMemoryStore, { describe, it });
});
