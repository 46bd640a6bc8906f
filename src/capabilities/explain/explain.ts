import { lstatSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CheckpointError } from "../../core/errors.ts";
import { withSlashes } from "../../work/machine/recorded-path.ts";
import type { Project } from "../../work/project/project.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import type { InputOf } from "../../work/verbs/field.ts";
import { findDecision } from "./find-decision.ts";
import { blameLine, findCommit, type GitCommit, readCommit } from "./git-commit.ts";
import { type Certainty, type Match, matchCommit, matchLines } from "./match-commit.ts";
import { type SessionRecord, recordedSessions, turnsThatWrote } from "./recorded.ts";
import { type ExplainedTurn, turnOfSession } from "./turn-of-session.ts";
import type { ExplainEntry } from "./verbs.ts";

/** What something is, and the sessions that it comes from, the surest first. */
export interface Explanation {
  readonly about: {
    readonly kind: "commit" | "file" | "line" | "decision";
    readonly what: string;
    readonly commit: string | null;
    readonly subject: string | null;
    readonly authored_at: string | null;
    /** The text of the line. */
    readonly line: string | null;
  };
  readonly sources: readonly {
    readonly certainty: Certainty;
    readonly how: string;
    readonly trail: string;
    readonly client: string | null;
    readonly checkpoint_id: string;
    readonly turns: readonly ExplainedTurn[];
  }[];
}

const MOST_TURNS = 3;

/** Which session, prompt, words and decision led to a commit, a file, a line or a decision. */
export async function explain(
  project: Project,
  { what, session }: InputOf<ExplainEntry>,
): Promise<Explanation> {
  const cairn = await project.stores.open(project, "read");
  const sessions = await recordedSessions(cairn, session);
  const { about, matches } =
    (await explainFile(project, what, sessions)) ??
    (await explainCommit(project, what, sessions)) ??
    (await explainDecision(cairn, what, sessions));
  const sources = matches.map((match) => sourceOf(cairn, match));
  return {
    about: { commit: null, subject: null, authored_at: null, line: null, ...about },
    sources: await Promise.all(sources),
  };
}

interface Explained {
  readonly about: Pick<Explanation["about"], "kind" | "what"> & Partial<Explanation["about"]>;
  readonly matches: readonly Match[];
}

type Sessions = readonly SessionRecord[];

async function explainFile(
  project: Project,
  what: string,
  sessions: Sessions,
): Promise<Explained | undefined> {
  const [, name = what, number] = /^(.+?):(\d+)$/.exec(what) ?? [];
  const path = withSlashes(relative(project.root, resolve(project.root, name)));
  if (
    path.startsWith("../") ||
    lstatSync(resolve(project.root, path), { throwIfNoEntry: false })?.isFile() !== true
  )
    return undefined;
  return number === undefined
    ? { about: { kind: "file", what: path }, matches: lastChanges(path, sessions) }
    : explainLine(project, { path, line: Number(number) }, sessions);
}

/** The sessions that wrote into a file, the last one first. */
function lastChanges(path: string, sessions: Sessions): Match[] {
  return sessions
    .flatMap((session) => {
      const turns = (session.activity.written ?? [])
        .filter((each) => each.path === path)
        .map(({ turn }) => turn);
      return turns.length === 0 ? [] : { session, turns: turns.toSorted().toReversed() };
    })
    .toSorted((a, b) => b.turns[0]!.localeCompare(a.turns[0]!))
    .map((each) => ({ ...each, certainty: "certain", how: "it edited this file" }));
}

async function explainLine(
  project: Project,
  { path, line }: { readonly path: string; readonly line: number },
  sessions: Sessions,
): Promise<Explained> {
  const what = `${path}:${line}`;
  const blamed = await blameLine(project, path, line);
  if (blamed === undefined)
    throw new CheckpointError("not-found", `git does not know "${what}".`, {
      hint: `To see who changed the whole file: checkpoint explain ${path}`,
      details: { path, line },
    });
  const commit = blamed.hash === undefined ? undefined : await readCommit(project, blamed.hash);
  const about = { kind: "line", what, line: blamed.text, ...aboutCommit(commit) } as const;
  const added = [{ path: blamed.path, lines: [blamed.text] }];
  const made = commit === undefined ? [] : matchCommit(commit, sessions);
  // Of a commit's turns, the one that wrote the line comes first.
  const matches = made.map((match) => {
    const wrote = turnsThatWrote(match.session, added).map(({ turn }) => turn);
    return { ...match, turns: [...new Set([...wrote, ...match.turns])] };
  });
  // One that is not committed yet has no date.
  const uncommitted = { added, authoredAt: commit?.authoredAt ?? Infinity };
  return { about, matches: made.length > 0 ? matches : matchLines(uncommitted, sessions) };
}

async function explainCommit(
  project: Project,
  what: string,
  sessions: Sessions,
): Promise<Explained | undefined> {
  const hash = await findCommit(project, what);
  const commit = hash === undefined ? undefined : await readCommit(project, hash);
  if (commit === undefined) return undefined;
  return { about: { kind: "commit", what, ...aboutCommit(commit) }, matches: matchCommit(commit, sessions) };
}

function aboutCommit(commit: GitCommit | undefined) {
  if (commit === undefined) return {};
  const { hash, subject, authoredAt } = commit;
  return { commit: hash, subject, authored_at: new Date(authoredAt).toISOString() };
}

async function explainDecision(cairn: Cairn, what: string, sessions: Sessions): Promise<Explained> {
  const found = await findDecision(cairn, what, sessions);
  if (found !== undefined) return { about: { kind: "decision", what: found.what }, matches: found.matches };
  throw new CheckpointError("not-found", `"${what}" is not a commit, a file or a decision of this project.`, {
    hint: "Name a commit, FILE, FILE:LINE below the project's root, or words of a decision: checkpoint status lists them.",
    details: { what },
  });
}

async function sourceOf(
  cairn: Cairn,
  { session, certainty, how, turns }: Match,
): Promise<Explanation["sources"][number]> {
  const told = await Promise.all(
    turns.slice(0, MOST_TURNS).map((turn) => turnOfSession(cairn, session, turn)),
  );
  return {
    certainty,
    how,
    trail: session.trail,
    client: session.state.session?.client ?? null,
    checkpoint_id: session.checkpointId,
    turns: told.filter((turn) => turn !== undefined),
  };
}
