// Does one thing with a project that is set up already: pushes, pulls or mirrors. Started to be killed.
import * as verbs from "../../../src/doors/library/project.ts";

const [path = "", what = ""] = process.argv.slice(2);
const env = { HOME: path, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
const project = verbs.openProject({ path, env });
if (what === "push") await verbs.push(project, {});
else if (what === "pull") await verbs.pull(project, {});
else await verbs.mirror(project);
await project.stores.close();
