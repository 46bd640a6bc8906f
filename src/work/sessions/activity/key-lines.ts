const LONGEST_LINE = 300;
/** At each end of an output. */
const MOST_LINES = 1000;

/** Test names, first errors, places: what a reader looks for in a failure, the most telling first. */
const TELLING: readonly RegExp[] = [
  /^\s*(?:--- FAIL|✗|✖|×|●|not ok \d|FAIL(?:ED)?\b(?!\t)|FAILED\b)|^E\s{2,}|panicked at|^panic:|^CONFLICT\b|^fatal:/,
  /(?:^|\s)[\w@./-]+\.\w{1,5}:\d+(?::\d+)?[:\s]|\berror(?:\[\w+\]|\s+TS\d+)?:|Error:|^error\b|Expected|Received|AssertionError|undefined:|cannot |not found|No such file|denied|refused/i,
  /\bfail(?:ed|ure|ing)?\b|\berrors?\b|expected|exception|conflict/i,
];
/** Noise that would match as well. */
const NOISE = /^\s*(?:at .*node:internal|FAIL$|ok\s|PASS\b|=== (?:RUN|PAUSE|CONT)|\[?\d+%|[-=_*~\s]+$)/;

/** The lines of a failure's output that tell what went wrong, in their order; at most `most`. */
export function keyLines(lines: readonly string[], most: number): string[] {
  const chosen = new Set<number>();
  for (const pattern of TELLING)
    for (const [index, line] of lines.entries()) {
      if (chosen.size >= most) break;
      if (!NOISE.test(line) && pattern.test(line)) chosen.add(index);
    }
  // A failure that matches none of them: its end says most.
  if (chosen.size === 0) return lines.slice(-Math.min(2, most));
  return [...chosen].toSorted((a, b) => a - b).map((index) => lines[index]!);
}

const MENTION =
  /^\[[\w./#-]+(?: \(root-commit\))? [0-9a-f]{7,40}\] |^ \d+ files? changed|^ [ *+-] .{1,200} -> (?!origin\/)|^Switched to |https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|issues|merge_requests|commit)\/\w+/;

/** The lines of an output that name a commit, a branch or a pull request. */
export function mentioningLines(lines: readonly string[]): string[] {
  return lines.filter((line) => MENTION.test(line)).slice(-6);
}

// oxlint-disable-next-line no-control-regex -- colours, titles and links that programs print to terminals
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** The lines of an output, of a long one those at both ends. One that is too long to show is left out. */
export function shownLines(output: string): string[] {
  const plain = output.includes("\u001b") ? output.replaceAll(ESCAPES, "") : output;
  const lines = plain.split("\n").flatMap((line) => (line.length <= LONGEST_LINE && line.trimEnd()) || []);
  return lines.length > 2 * MOST_LINES ? [...lines.slice(0, MOST_LINES), ...lines.slice(-MOST_LINES)] : lines;
}
