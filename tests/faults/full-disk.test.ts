import { join } from "node:path";
import { describe, expect, it } from "vitest";

import type { Filled } from "./programs/small-disk.ts";
import type { Told } from "./programs/writer.ts";
import { acknowledged, checkAftermath } from "./support/aftermath.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { report, skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { onSmallDisk, whyNoSmallDisk } from "./support/small-world.ts";

const folders = useFolders();
const isSkipped = whyNoSmallDisk && skipLoudly("a really full disk", whyNoSmallDisk);

describe("a full disk", () => {
  it.skipIf(isSkipped)(
    "refuses the commit that does not fit by name, keeps what was acknowledged, and takes more once there is room",
    async () => {
      const folder = folders.onDisk();
      const wrapper = onSmallDisk(folder, "1m");
      const { messages, status, stderr } = await start<Filled>(
        bundle("small-disk", folders.onDisk()),
        [folder],
        { wrapper },
      ).ended();
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const filled = messages[0] as Filled;
      expect(filled.acknowledged).toBeGreaterThan(10);
      expect(filled.failure).toMatchObject({
        code: "failed",
        message: expect.stringContaining("no space left") as string,
      });
      const [sameHandle, ...others] = filled.onFullDisk;
      expect(sameHandle).toEqual({ right: filled.acknowledged, refused: [] });
      for (const { right, refused } of others) {
        expect(refused).not.toContain("wrong");
        expect(refused).not.toContain(null);
        expect(right + refused.length).toBeGreaterThan(0);
      }
      // The handle that failed may go on: a disk that is full has broken no promise.
      expect(filled.again).toEqual({ step: filled.acknowledged + 1 });
      const step = filled.acknowledged + 2;
      expect(filled.afterwards).toEqual({ right: filled.acknowledged, refused: [], step, damage: 0 });
      report(`a disk of 1 MB filled by ${filled.acknowledged} checkpoints: 0 lost`, "the disk is full");
    },
    TIMEOUT_MS,
  );

  it.skipIf(process.platform === "win32")(
    "is not needed to run out of room: a limit on the size of files is named too, and loses nothing",
    async () => {
      const store = join(folders.onDisk(), "store");
      const wrapper = ["sh", "-c", 'ulimit -f 300 && exec "$@"', "sh"];
      const program = bundle("writer", folders.onDisk());
      const { messages, status, stderr } = await start<Told>(program, [store, "open", "commit", "…"], {
        wrapper,
      }).ended();
      expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
      expect(acknowledged(messages).length).toBeGreaterThan(3);
      const failures = messages.flatMap((message) => ("failed" in message ? [message.failure.code] : []));
      expect(new Set(failures)).toEqual(new Set(["failed"]));
      await checkAftermath(store, messages);
    },
    TIMEOUT_MS,
  );
});
