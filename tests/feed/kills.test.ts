import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { start } from "../faults/support/child.ts";
import { useFolders } from "../faults/support/folders.ts";
import { bundleFile } from "../faults/support/program.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { commitAll, told, useProjects } from "./support/project.ts";

type Told = { readonly received: string } | { readonly acknowledged: string };

const KILLS = scaled(12, 500);

const makeProject = useProjects();
const folders = useFolders();

it(
  "misses no event though its consumer is killed between receipt and acknowledgement",
  async () => {
    const project = makeProject();
    const program = bundleFile(join(import.meta.dirname, "programs/consumer.ts"), folders.onDisk());
    const file = join(project.root, "received");
    writeFileSync(file, "");
    let strikes = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await commitAll(project, [`${kill} a`, `${kill} b`, `${kill} c`]);
      const consumer = start<Told>(program, [project.root, file]);
      // Now the first that it receives, now a later one: then it has acknowledged some.
      for (let heard = 0; heard <= kill % 3; heard++) await consumer.heard((said) => "received" in said);
      consumer.kill();
      const { messages } = await consumer.ended();
      if ("received" in (messages.at(-1) ?? {})) strikes++;
    }
    const last = start<Told>(program, [project.root, file]);
    const all = (await told(project)).map(({ id }) => id);
    await last.heard((said) => "acknowledged" in said && said.acknowledged === all.at(-1));
    last.kill();
    await last.ended();
    const received = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(all.length).toBe(KILLS * 3);
    expect(all.filter((id) => !received.includes(id))).toEqual([]);
    // Each kill that struck in between is seen as an event that came twice.
    expect(strikes).toBeGreaterThan(KILLS / 3);
    expect(received.length).toBeGreaterThan(all.length);
    report(
      `${KILLS} kills, ${strikes} before the acknowledgement: ${all.length} events, 0 missed`,
      "a consumer of the feed is killed",
    );
  },
  TIMEOUT_MS,
);
