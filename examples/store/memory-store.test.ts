import { describe, it } from "vitest";

import { testStore } from "../../src/testing/index.ts";
import { openMapStore } from "./memory-store.ts";

describe("the store of the examples", () => {
  testStore(openMapStore, { describe, it });
});
