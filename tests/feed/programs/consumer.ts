// A consumer of the feed: node consumer.mjs <folder> <file>. Keeps each event's id in the file, says so, and acknowledges it.
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { openFeed, openProject } from "../../../src/doors/library/project.ts";
import { say } from "../../faults/programs/say.ts";

const [folder = "", file = ""] = process.argv.slice(2);
const project = openProject({ path: folder, env: { HOME: dirname(folder) } });
const received = openSync(file, "a");
const feed = await openFeed(project, { as: "consumer", follow: true });
for await (const event of feed) {
  writeSync(received, `${event.id}\n`);
  fsyncSync(received);
  say({ received: event.id });
  // The parent kills it between here and the end of the next line, or a little later.
  await feed.acknowledge(event);
  say({ acknowledged: event.id });
}
closeSync(received);
