import { describe, expect, it } from "vitest";

import type { ReadBack } from "./programs/read-only-disk.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";
import { skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { onSmallDisk, whyNoSmallDisk } from "./support/small-world.ts";

const folders = useFolders();
const isSkipped = whyNoSmallDisk && skipLoudly("a read-only disk", whyNoSmallDisk);

describe.skipIf(isSkipped)("a store on a disk that became read-only", () => {
  it(
    "is read as it is after its writer closed it",
    async () => {
      const { files, acknowledged, read } = await readBack("closed");
      expect(files).toEqual([".gitignore", "store.sqlite", "store.sqlite-mark"]);
      expect(read).toEqual({ right: acknowledged, latest: 12 });
    },
    TIMEOUT_MS,
  );

  it(
    "is read with the log that a killed writer left, whose newest checkpoints are only there",
    async () => {
      const { files, acknowledged, read } = await readBack("log");
      expect(files).toEqual([
        ".gitignore",
        "store.sqlite",
        "store.sqlite-mark",
        "store.sqlite-shm",
        "store.sqlite-wal",
      ]);
      expect(read).toEqual({ right: acknowledged, latest: 12 });
    },
    TIMEOUT_MS,
  );

  it(
    "is refused rather than read without its log",
    async () => {
      const { files, read } = await readBack("log-alone");
      expect(files).toEqual([".gitignore", "store.sqlite", "store.sqlite-mark", "store.sqlite-wal"]);
      expect(read).toMatchObject({ code: "failed" });
    },
    TIMEOUT_MS,
  );
});

/** Runs the program, and checks what holds in every case: writing is refused by name, and nothing is touched. */
async function readBack(left: string): Promise<ReadBack> {
  const [writer, program] = ["writer", "read-only-disk"].map((name) => bundle(name, folders.onDisk())) as [
    string,
    string,
  ];
  const folder = folders.onDisk();
  const wrapper = onSmallDisk(folder, "8m");
  const { messages, status, stderr } = await start<ReadBack>(program, [folder, writer, left], {
    wrapper,
  }).ended();
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const result = messages[0] as ReadBack;
  expect(result).toMatchObject({ acknowledged: 12, written: { code: "failed" }, isUntouched: true });
  return result;
}
