// Brings the index up to date: node rebuilder.mjs <folder>. Says when it is done.
import { dirname } from "node:path";
import { openProject, search } from "../../../src/doors/library/project.ts";
import { say } from "../../faults/programs/say.ts";

const [folder = ""] = process.argv.slice(2);
const project = openProject({ path: folder, env: { HOME: dirname(folder) } });
const onProgress = (done: number) => say({ done });
const { hits } = await search(project, { words: ["everywhere"], limit: 100, onProgress });
say({ hits: hits.length });
await project.stores.close();
