import { resolve } from "node:path";
import { greedyWarning } from "../../../core/redaction/redactor.ts";
import { parseSince } from "../../../work/project/reading/parse-since.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { closeGaps } from "../../../core/text/shorten.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { type ClientName, CLIENTS } from "../../../work/clients/clients.ts";
import { findSessions, sessionAt } from "./recorded-sessions.ts";
import { importSession, type ImportedSession } from "./import-session.ts";
import type { RecordedSession } from "./transcript-file.ts";
import { redactorOf } from "../../../work/project/settings/settings.ts";
import type { ImportOptions } from "../../../work/terminal/transcript-archive.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";

/** The result for one session: what was read, or why it could not be. */
type SessionImport = ReturnType<typeof describe>;

/** Read the sessions that an agent client recorded, and archive their transcripts */
export async function importTranscripts(
  context: Context,
  client: ClientName,
  options: ImportOptions,
  output: Output,
): Promise<number> {
  const project = context.project;
  const { root } = project;
  const sessions = await choose(context, client, options, root);
  const redactor = await redactorOf(project);
  const isWriting = !options.dryRun && sessions.length > 0;
  const cairn = isWriting ? await project.stores.open(project, "create", "keep.import") : undefined;
  const outcomes: SessionImport[] = [];
  for (const [index, session] of sessions.entries()) {
    output.progress(`Reading session ${index + 1} of ${sessions.length}`);
    const read = await tryImport(session, () => importSession(session, { cairn, redactor, root }));
    outcomes.push({ ...read, goal: read.goal && closeGaps(redactor.redactText(read.goal).value) });
  }
  for (const session of outcomes) warnAbout(session, output);
  const secrets = outcomes.reduce((sum, { secrets_removed }) => sum + secrets_removed, 0);
  if (secrets > 0)
    output.warning(
      `${count(secrets, "secret")} left out of the archive: it never holds passwords, keys or tokens.`,
    );
  const greedy = greedyWarning(redactor);
  if (greedy !== undefined) output.warning(greedy);
  const { all, dryRun } = options;
  const where = CLIENTS[client].settings(context.env) ?? "an unknown home folder";
  output.list(
    { format: "transcripts", client, dry_run: dryRun, sessions: outcomes },
    outcomes.map((session) => row(session, dryRun, context.now())),
    `No session of ${client} was found${all ? "" : " for this project"} in ${where}.`,
  );
  return outcomes.some(({ error }) => error !== null) ? 1 : 0;
}

async function choose(
  context: Context,
  client: ClientName,
  { session, since, all }: ImportOptions,
  root: string,
): Promise<RecordedSession[]> {
  const { env, cwd } = context;
  if (session === undefined) {
    const from = since === undefined ? undefined : parseSince(since, context.now());
    return findSessions(client, { env, root: all ? undefined : root, since: from });
  }
  if (/\.jsonl(?:\.zst)?$/.test(session)) {
    const found = await sessionAt(client, resolve(cwd, session));
    if (found !== undefined) return [found];
  }
  const found = (await findSessions(client, { env })).filter(({ main }) => main.session_id === session);
  if (found.length > 0) return found;
  throw new CheckpointError("not-found", `${client} recorded no session "${session}".`, {
    hint: `checkpoint import ${client} --all --dry-run`,
    details: { client, session },
  });
}

/** A session that cannot be read must not stop the others from being archived. */
async function tryImport(
  session: RecordedSession,
  run: () => Promise<ImportedSession>,
): Promise<SessionImport> {
  try {
    return describe(session, await run(), null);
  } catch (error) {
    const isOfStore = isCheckpointError(error) && error.code !== "conflict" && error.code !== "usage";
    if (isOfStore || !(error instanceof Error)) throw error;
    return describe(session, undefined, error.message);
  }
}

function describe(
  { main, agents }: RecordedSession,
  read: ImportedSession | undefined,
  error: string | null,
) {
  const { work, archived = [] } = read ?? {};
  const sum = (pick: "new_lines" | "secrets_removed") => archived.reduce((all, each) => all + each[pick], 0);
  return {
    session_id: main.session_id,
    source: main.path,
    cwd: work?.session.cwd ?? main.cwd,
    goal: read?.state.goal ?? textOf(work?.session, "title") ?? null,
    last_seen_at: textOf(work?.session, "last_seen_at") ?? main.modifiedAt.toISOString(),
    lines: work?.lines ?? 0,
    new_lines: sum("new_lines"),
    secrets_removed: sum("secrets_removed"),
    trail: read?.trail ?? null,
    transcript_trail: archived[0]?.trail ?? null,
    checkpoint_id: read?.checkpoint_id ?? null,
    was_rewritten: archived.some(({ was_rewritten }) => was_rewritten),
    subagent_files: agents.length,
    problems: read?.problems ?? [],
    more_problems: read?.moreProblems ?? 0,
    error,
  };
}

function row(session: SessionImport, dryRun: boolean, now: Date): string[] {
  const what = dryRun
    ? count(session.lines, "line")
    : session.new_lines === 0
      ? "nothing new"
      : count(session.new_lines, "new line");
  const goal = oneLine(session.goal ?? "");
  return [
    oneLine(session.session_id),
    ago(session.last_seen_at, now),
    session.error === null ? what : "not read",
    goal.length > 80 ? `${goal.slice(0, 79)}…` : goal,
  ];
}

function warnAbout(session: SessionImport, output: Output): void {
  const name = oneLine(session.source);
  if (session.error !== null) output.warning(`${name} cannot be read: ${oneLine(session.error)}`);
  const [first] = session.problems;
  if (first !== undefined) {
    const more = session.problems.length + session.more_problems - 1;
    const others = more === 0 ? "" : `, and ${count(more, "other")}`;
    output.warning(`${name}: line ${first.line} was kept, but not understood: ${first.reason}${others}.`);
  }
  if (session.was_rewritten)
    output.warning(`${name} was rewritten by its client; what was archived before is kept in the history.`);
}
