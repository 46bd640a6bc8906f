// Tells the configured services what happens, until it is killed: node teller.mjs <folder>
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openWorld } from "../../../src/capabilities/integrations/open-world.ts";
import { outletsOf, runOutlets } from "../../../src/capabilities/integrations/run.ts";
import { openProject } from "../../../src/doors/library/project.ts";

const [folder = ""] = process.argv.slice(2);
const env = { ...process.env, HOME: dirname(folder) };
const project = openProject({ path: folder, env });
// It waits less, so that it can be killed hundreds of times.
const wait = (ms: number) => setTimeout(Math.min(ms, 20));
const { signal } = new AbortController();
const { world, all } = await openWorld(project, { signal, wait, tell: () => {} });
await runOutlets(world, await outletsOf(world, all));
