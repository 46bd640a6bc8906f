import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, info, type Figure } from "../figure.ts";

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));
const COMMAND = fileURLToPath(new URL("../run-source.ts", import.meta.url));

const POSTGRES = ["store/postgres"];
const LATER = ["governance/", "remote/", "web/", ...POSTGRES];

/** The parts of the source, each with its limit. Names are beginnings of paths below src. */
const PARTS: readonly {
  readonly part: string;
  readonly folders: readonly string[];
  readonly without?: readonly string[];
  readonly must: number;
  readonly aim?: number;
}[] = [
  {
    part: "src without governance, PostgreSQL, remotes and the page",
    folders: [""],
    without: LATER,
    must: 43_500,
    aim: 40_000,
  },
  { part: "src/cli", folders: ["cli/"], must: 9_500, aim: 8_000 },
  {
    part: "src/store and src/objects, without PostgreSQL",
    folders: ["store/", "store.ts", "objects/"],
    without: POSTGRES,
    must: 7_600,
    aim: 7_000,
  },
  { part: "governance", folders: ["governance/"], must: 3_000 },
  { part: "PostgreSQL", folders: POSTGRES, must: 1_400 },
  { part: "remotes", folders: ["remote/"], must: 2_000 },
  { part: "the page and its server", folders: ["web/"], must: 3_500 },
];

/** How much there is to read: for whoever maintains it, and for whoever follows one command to the disk. */
export const source: Figure = {
  name: "source",
  title: "The source, without tests",
  measure: async ({ place }) => {
    const crossed = filesCrossedBy(place.newFolder(), place.newFolder());
    return [
      ...PARTS.map(({ part, folders, without, ...bounds }) =>
        atMost(`lines of ${part}`, linesOf(folders, without), { ...bounds, digits: 0 }, "without tests"),
      ),
      info(
        "lines of src/testing, the published suites",
        String(linesOf(["testing/"])),
        `${linesOf(["testing/store/"])} for stores, ${linesOf(["testing/test-remote.ts"])} for remotes: not in the rows above of these, which had them when their bounds were set`,
      ),
      atMost(
        "source files in which a function runs during checkpoint now",
        crossed.length,
        { must: 60, aim: 50, digits: 0 },
        "V8's coverage of the sources as they are, in a git repository with a store",
      ),
    ];
  },
};

function linesOf(folders: readonly string[], without: readonly string[] = []): number {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|css|html)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => folders.some((folder) => name.startsWith(folder)))
    .filter((name) => !without.some((folder) => name.startsWith(folder)))
    .reduce((sum, name) => sum + readFileSync(join(SOURCE, name), "utf8").split("\n").length - 1, 0);
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
