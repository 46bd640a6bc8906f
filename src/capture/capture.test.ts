import { describe, expect, it } from "vitest";

import { openCairn } from "../checkpoints/cairn.ts";
import { openMemoryStore } from "../store/sqlite.ts";
import { capture } from "./capture.ts";
import { variablesCollector } from "./collect.ts";

describe("capture", () => {
  it("saves what registered collectors see, without secrets, and says which ones failed", async () => {
    const cairn = await openCairn({ store: await openMemoryStore() });
    const trail = cairn.trail("main");
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    const collectors = [
      variablesCollector("mine", () => ({ my_data: "seen", log: `used ${secret}` })),
      variablesCollector("broken", () => {
        throw new Error("no answer");
      }),
    ];
    const { checkpoint, failures, redacted } = await capture(trail, collectors, { notes: "before deploy" });
    const loaded = await trail.load(checkpoint.checkpoint_id);
    expect(loaded.state.variables["my_data"]).toBe("seen");
    expect(JSON.stringify(loaded)).not.toContain(secret);
    expect(loaded.notes).toBe("before deploy");
    expect(failures.map(({ name }) => name)).toEqual(["broken"]);
    expect(redacted).toHaveLength(1);
  });
});
