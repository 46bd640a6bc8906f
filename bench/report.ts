import type { Corpus } from "./corpus.ts";
import type { Figure, Row } from "./figure.ts";
import type { Machine } from "./machine.ts";
import { markdownTable } from "./table.ts";
import { bytes } from "./units.ts";

export interface Measured {
  readonly figure: Figure;
  readonly rows: readonly Row[];
}

export interface Report {
  readonly machine: Machine;
  readonly corpus: Corpus;
  readonly measured: readonly Measured[];
  /** What a raw append took before and after everything else. */
  readonly flushes: readonly string[];
  readonly seconds: number;
}

/** docs/benchmarks.md: all that a reader needs to judge the numbers and to get their own. */
export function renderReport({ machine, corpus, measured, flushes, seconds }: Report): string {
  return `# Benchmarks of the store

Written by \`npm run bench\`, never by hand. Run it yourself: \`npm run bench\` measures everything (a few minutes)
and writes this file; \`npm run bench -- ${measured[0]?.figure.name ?? "size"}\` measures one group and only prints it. Groups: ${names(measured)}.

| machine | |
| --- | --- |
| processor | ${machine.cpu} |
| memory | ${machine.memory} |
| system | ${machine.system} |
| Node | ${machine.node} |
| file system | ${machine.fileSystem} |
| load average at the start | ${machine.load} |
| raw append before and after | ${flushes.join(", ")} |
| commit | ${machine.commit} |
| measured | ${machine.date}, in ${seconds.toFixed(0)} s |

${measured.map(section).join("\n\n")}

## What the words mean
- **must, aim**: the bounds this project set itself before it was built. *aim*: the aim is reached; *ok*: the must is; *MISSED*: neither;
  *void*: the machine did not let it be measured. Rows without bounds inform.
- **A**: an agent's conversation. Every step appends a message of about 1 KB and changes three of ten scalars; 2,000 steps.
- **B**: as A; every 10 steps a message in the middle gets a new text of 400 characters, every 200 steps the oldest 150 messages go.
- **C**: 500 tasks of about 350 bytes; every step changes one status; 2,000 steps.
- **D**: as A with 1,000 steps, and every tenth message holds a 200 KB tool result: 60 % were there before, 20 % are an earlier one with
  five lines edited, 20 % are new.
- **new data**: the JSON in UTF-8 of what a step added or changed: the message, the changed scalars, the new text of an edited message.
- **unique bytes** (D): the same, where a result that is read again counts nothing and an edited one counts its edited lines only.
- **raw append**: 1,126 bytes appended to a file in the same folder, then fdatasync. The least that anything durable can cost.
- **identity mode, verify mode**: the caller promises never to change a state in place; the default, which compares everything.
- **function step, command step**: one of many steps that do nothing, from its start to the next one's, in a process of its own that runs
  nothing else. A commit beside command steps is measured in turn with bare spawns (\`sh -c true\`), which leave the caches as cold.
- **until the first step starts**: from the call to the moment when the step's mark is durable. The resumed run has 999 steps behind it.
- **CPU**: user and system time of the measuring process with all its threads, p50 as the time beside it.

## Fairness
- Times are ratios of two things done in turn in one process in one run; both stand in the last column. Absolute times are this machine's.
- A commit figure counts only if the raw append takes at least 150 µs (p50): below that, the disk does not really flush. A busy disk
  flatters the ratio, so the figure is taken up to three times, until the raw append takes 450 µs at most; the quietest counts.
  Where even that was slower, the row says so; the rates of many processes say it too.
- Sizes are taken after close, over all files in the store's folder, a WAL included. They include the checkpoints themselves and their index.
- The text comes from ${corpus.files} files of installed packages, ${bytes(corpus.bytes)} in all (${corpus.packages.join(", ")}). Plain zstd makes the whole
  ${corpus.zstdRatio.toFixed(1)} times smaller, 16 KB pieces taken one by one ${corpus.zstdRatioOfPieces.toFixed(1)} times; messages are cut from 2,000-character blocks in a seeded order, of which 16 KB
  shrink ${corpus.zstdRatioOfMessages.toFixed(1)} times. No text is used twice, except where the workload says so. Ids are random. Text that does not compress costs about
  twice as much by design: see the row with random letters.
- The long history of the memory figure is built by 100,000 real commits, in a RAM disk where there is one: only its loading is measured.
- What people do today is done at every 20th step (all 2,000 would write gigabytes) with the same states, right after our own commit. Where
  a history is kept, its bytes are multiplied by 20. Files are written with fsync; git has its default settings, which flush less than
  the others, and the CPU time of its own processes is not in the column.
`;
}

function section({ figure, rows }: Measured): string {
  return `## ${figure.title}\n\n${markdownTable(rows)}`;
}

function names(measured: readonly Measured[]): string {
  return measured.map(({ figure }) => `\`${figure.name}\``).join(", ");
}
