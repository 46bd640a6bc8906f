import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, type Figure } from "../figure.ts";

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));
const COMMAND = fileURLToPath(new URL("../run-source.ts", import.meta.url));

/** How much there is to read: for whoever maintains it, and for whoever follows one command to the disk. */
export const source: Figure = {
  name: "source",
  title: "The source, without tests",
  measure: async ({ place }) => {
    const crossed = filesCrossedBy(place.newFolder(), place.newFolder());
    const lines = { must: 43_500, aim: 40_000, digits: 0 };
    const cliLines = { must: 9_500, aim: 8_000, digits: 0 };
    const storeLines = { must: 7_600, aim: 7_000, digits: 0 };
    const isPostgres = (name: string) => name.startsWith("postgres");
    const inStore = linesIn(join(SOURCE, "store"), isPostgres) + linesIn(join(SOURCE, "objects"));
    return [
      atMost("lines of src", linesIn(SOURCE), lines, "all files that are not tests"),
      atMost("lines of src/cli", linesIn(join(SOURCE, "cli")), cliLines, "all files that are not tests"),
      atMost("lines of src/store and src/objects", inStore, storeLines, "without tests and store/postgres"),
      atMost(
        "source files in which a function runs during checkpoint now",
        crossed.length,
        { must: 60, aim: 50, digits: 0 },
        "V8's coverage of the sources as they are, in a git repository with a store",
      ),
    ];
  },
};

function linesIn(folder: string, isLeftOut = (_name: string) => false): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !isLeftOut(name))
    .reduce((sum, name) => sum + readFileSync(join(folder, name), "utf8").split("\n").length - 1, 0);
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** The second save of a repository: the first one makes the store. */
function filesCrossedBy(project: string, coverage: string): string[] {
  const run = (command: string, args: readonly string[], env: Record<string, string> = {}) => {
    const { status, stderr } = spawnSync(command, args, {
      cwd: project,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  };
  run("git", ["init", "-q"]);
  run(process.execPath, [COMMAND, "now"]);
  run(process.execPath, [COMMAND, "now"], { NODE_V8_COVERAGE: coverage });
  const scripts = readdirSync(coverage).flatMap(
    (name) => (JSON.parse(readFileSync(join(coverage, name), "utf8")) as Coverage).result,
  );
  const crossed = scripts.filter(
    ({ url, functions }) =>
      url.includes("/src/") && functions.some((each) => !isWholeModule(each) && each.ranges[0]!.count > 0),
  );
  return [...new Set(crossed.map(({ url }) => url))].filter((url) => fileURLToPath(url).startsWith(SOURCE));
}

/** Every module that is loaded runs once as a whole, whether or not anything in it is needed. */
function isWholeModule({ functionName, ranges }: Coverage["result"][number]["functions"][number]): boolean {
  return functionName === "" && ranges[0]?.startOffset === 0;
}
