import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, info, type Figure } from "../figure.ts";

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));

/** The parts of the source, each with its limit. Names are beginnings of paths below src. */
const PARTS: readonly {
  readonly part: string;
  readonly folders: readonly string[];
  readonly without?: readonly string[];
  readonly must: number;
  readonly aim?: number;
}[] = [
  { part: "src", folders: [""], must: 61_500, aim: 58_000 },
  {
    part: "src/core, without redaction",
    folders: ["core/"],
    without: ["core/redaction/"],
    must: 12_500,
    aim: 11_000,
  },
];

/** How much there is to read. */
export const source: Figure = {
  name: "source",
  title: "The source, without tests",
  measure: async () => [
    ...PARTS.map(({ part, folders, without, ...bounds }) =>
      atMost(`lines of ${part}`, linesOf(folders, without), { ...bounds, digits: 0 }, "without tests"),
    ),
    info(
      "lines of src/testing, the published suites",
      String(linesOf(["testing/"])),
      `${linesOf(["testing/store/"])} for stores, ${linesOf(["testing/test-remote.ts"])} for remotes`,
    ),
  ],
};

function linesOf(folders: readonly string[], without: readonly string[] = []): number {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|css)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => folders.some((folder) => name.startsWith(folder)))
    .filter((name) => !without.some((folder) => name.startsWith(folder)))
    .reduce((sum, name) => sum + readFileSync(join(SOURCE, name), "utf8").split("\n").length - 1, 0);
}
