/** Where the part of docs/benchmarks.md begins that `npm run bench:peers` writes. */
const MARK = "<!-- npm run bench:peers -->";

/** A report with the comparison that another one has. */
export function withPeersOf(report: string, before: string): string {
  const at = before.indexOf(MARK);
  return at === -1 ? report : `${report.trimEnd()}\n\n${before.slice(at)}`;
}

/** A report with a new comparison. */
export function withPeers(report: string, section: string): string {
  return withPeersOf(report.split(MARK)[0] ?? "", `${MARK}\n\n${section}`);
}
