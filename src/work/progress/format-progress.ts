import type { AgentProgress, ProgressNote } from "./progress.ts";

/** A progress file: frontmatter for programs, timed notes for people. Values are quoted, so that text cannot break the format. */
export function formatProgress(progress: AgentProgress): string {
  const { feature, team, agent, phase, status, last_action, updated, notes } = progress;
  const fields = { feature, ...(team !== undefined && { team }), agent, phase, status, last_action, updated };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ["---", ...lines, "---", "", "## Progress Notes", "", ...notes.map(formatNote), ""].join("\n");
}

/** `- [10:30] Sent to review`: the time in UTC; a note is one line. */
export function formatNote({ at, text, milestone }: ProgressNote): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  return `- [${at.slice(11, 16)}] ${words}${milestone === undefined ? "" : ` (${milestone})`}`;
}
