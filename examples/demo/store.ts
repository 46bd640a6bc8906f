import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { runAndKill } from "./killed-writer.ts";
import { openCairn } from "./library.ts";
import { bad, fact, good, milliseconds, size } from "./narrate.ts";

/** Kills a writer in the middle, and looks whether everything is there that it was told is saved. */
export async function showStore(path: string): Promise<boolean> {
  const heard = await runAndKill(path);
  const times = heard.map((ack) => ack.milliseconds).toSorted((left, right) => left - right);
  const cairn = await openCairn({ path });
  const trail = cairn.trail("main");
  const found = new Set<string>();
  let wholeBytes = 0;
  for (const { content_hash } of await trail.history()) {
    wholeBytes += JSON.stringify((await trail.load(content_hash)).state).length;
    found.add(content_hash);
  }
  const { damage } = await cairn.verify();
  await cairn.close();
  const there = heard.filter(({ content_hash }) => found.has(content_hash)).length;
  const isWhole = there === heard.length && damage.length === 0;
  const stored = bytesIn(path);
  fact(
    'an agent saves and is told "saved"',
    `${heard.length} times, ${milliseconds(times[Math.floor(times.length / 2)] ?? 0)} each, then kill -9`,
  );
  fact("found, every byte checked", (isWhole ? good : bad)(`${there} of ${heard.length}`));
  fact("the whole state at every step", size(wholeBytes));
  fact(
    "this store, with all of them",
    `${size(stored)}, ${good(`${(wholeBytes / stored).toFixed(0)} times less`)}`,
  );
  return isWhole;
}

function bytesIn(place: string): number {
  return readdirSync(place).reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
}
