import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import type { Told } from "./programs/writer.ts";
import { start } from "./support/child.ts";
import { useFolders } from "./support/folders.ts";
import { bundle } from "./support/program.ts";

const folders = useFolders();

describe.skipIf(process.platform === "win32")("the files of a store", () => {
  it.each(["000", "022", "077"])("are for their owner alone under umask %s", async (umask) => {
    const program = bundle("writer", folders.onDisk());
    const outer = folders.onDisk();
    const store = join(outer, "deep", ".cairn");
    const wrapper = ["sh", "-c", `umask ${umask} && exec "$@"`, "sh"];
    const child = start<Told>(program, [store, "open", "commit:2", "prune:1", "commit", "…"], { wrapper });
    await child.heard((message) => "did" in message && message.did === "prune");
    // Looked at while the writer lives: its log and its shared memory are there only then.
    const modes = modesIn(store);
    child.kill();
    await child.ended();
    expect(modes).toEqual({
      ".": "700",
      ".gitignore": "600",
      "store.sqlite": "600",
      "store.sqlite-mark": "600",
      "store.sqlite-wal": "600",
      "store.sqlite-shm": "600",
    });
    expect(modesIn(join(outer, "deep"))["."]).toBe("700");
  });

  it("leave a folder that was there before as it is", async () => {
    const program = bundle("writer", folders.onDisk());
    const store = join(folders.onDisk(), ".cairn");
    mkdirSync(store, { mode: 0o750 });
    const { status } = await start<Told>(program, [store, "open", "commit", "close"]).ended();
    expect(status).toBe(0);
    expect(modesIn(store)).toEqual({ ".": "750", "store.sqlite": "600", "store.sqlite-mark": "600" });
  });
});

function modesIn(folder: string): Record<string, string> {
  const names = [".", ...readdirSync(folder)];
  return Object.fromEntries(
    names.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8).padStart(3, "0")]),
  );
}
