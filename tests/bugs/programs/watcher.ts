// Watches what fails, as `checkpoint bugs --watch` does: node watcher.mjs <folder>. Says so whenever the list was saved.
import { dirname } from "node:path";
import { watchBugs } from "../../../src/capabilities/bugs/watch.ts";
import { openProject } from "../../../src/doors/library/project.ts";
import { say } from "../../faults/programs/say.ts";

const [folder = ""] = process.argv.slice(2);
const project = openProject({ path: folder, env: { HOME: dirname(folder) } });
say({ started: true });
await watchBugs(project, { follow: true, onBook: ({ bugs }) => say({ saved: bugs.length }) });
