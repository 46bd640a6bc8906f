// npm run test:shared: all tests of workflows on a shared store, with a runner on this machine and with workers. `npm test`
// runs a selection.
import { spawnSync } from "node:child_process";
import { toolPath } from "./steps.ts";

const files = ["tests/postgres/runs.test.ts", "tests/postgres/runs-on-workers.test.ts"];
const args = [toolPath("vitest"), "run", ...files, "--testTimeout=60000", ...process.argv.slice(2)];
const env = { ...process.env, CAIRN_TEST_ALL: "1" };
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
