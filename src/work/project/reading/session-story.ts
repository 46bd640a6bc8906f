import { asList, asRecord, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { CLIENT_NAMES } from "../../clients/clients.ts";
import type { StepEntry, TranscriptEntry } from "../../sessions/events/transcript-entry.ts";
import { TranscriptWork } from "../../sessions/transcripts/transcript-work.ts";
import { TRANSCRIPTS } from "../../sessions/transcripts/transcripts.ts";
import { loadIfAny } from "../../sessions/trails/unfinished.ts";
import type { Cairn } from "../../state/cairn.ts";
import { count } from "../../state/words.ts";
import { openFeed } from "../feed/feed.ts";
import { newestCursor } from "../feed/position.ts";
import type { Project } from "../project.ts";
import { checkLine, editLine, inOrder, lineOf, type StoryLine, storyOfState } from "./story-line.ts";

export interface SessionStory {
  readonly story: readonly StoryLine[];
  /** What its answers took, with all that was read for them; null where no archived transcript says. */
  readonly tokens: number | null;
}

interface StoriedSession {
  readonly trail: string;
  /** The trail of its imported transcript, if there is one. */
  readonly transcript: { readonly archived: string | null };
}

/** What happened in a session, in order: all of it where its transcript was imported, and then what hooks recorded since. */
export async function sessionStory(
  project: Project,
  { trail, transcript }: StoriedSession,
): Promise<SessionStory> {
  const cairn = await project.stores.open(project, "read");
  const { story: told, tokens } = await fromArchive(cairn, transcript.archived, project.root);
  const state = (await loadIfAny(cairn, trail))?.state;
  const since = told.at(-1)?.at ?? "";
  const recorded = state === undefined ? [] : storyOfState(state);
  // No transcript has decisions.
  const more = recorded.filter(({ at, kind }) => at > since || kind === "decided");
  return { story: inOrder([...told, ...more]), tokens };
}

/** What is added to a story that was told, until its session ends or `signal` says stop. */
export async function* followStory(
  project: Project,
  session: StoriedSession,
  { story, signal }: { readonly story: readonly StoryLine[]; readonly signal: AbortSignal },
): AsyncGenerator<readonly StoryLine[]> {
  const told = new Set(story.map((line) => JSON.stringify(line)));
  const after = await newestCursor((await project.stores.open(project, "read")).store);
  const feed = await openFeed(project, { after, kinds: ["commit", "session"], follow: true, signal });
  for await (const event of feed) {
    if (event.trail !== session.trail) continue;
    const { story: now } = await sessionStory(project, session);
    const news = now.filter((line) => !told.has(JSON.stringify(line)));
    for (const line of news) told.add(JSON.stringify(line));
    if (news.length > 0) yield news;
    if (event.type === "session-ended") return;
  }
}

/** From the archived lines, as the reader of its client understands them. */
async function fromArchive(cairn: Cairn, trail: string | null, root: string): Promise<SessionStory> {
  const client = CLIENT_NAMES.find((name) => name === trail?.split("/")[1]);
  const format = client && TRANSCRIPTS[client];
  if (trail === null || format === undefined) return { story: [], tokens: null };
  const work = new TranscriptWork(root);
  /** By the answer: each of its lines says what the whole of it took. */
  const answers = new Map<string, number>();
  const reader = format.reader(work);
  for (let part = 1; ; part++) {
    const name = part === 1 ? trail : `${trail}/part-${part}`;
    if ((await cairn.store.head(name)) === undefined) break;
    const { state } = await cairn.trail<object>(name).load();
    for (const line of asList((state as { lines?: unknown }).lines)) {
      const value =
        typeof line === "string" && format.isTelling?.(line) !== false ? parseJson(line) : undefined;
      const at = work.line(value);
      if (value !== undefined) reader(value, at);
      const message = own(value, "message");
      const id = textOf(message, "id");
      const spent = tokensIn(own(message, "usage"));
      if (id !== undefined && spent > 0) answers.set(id, spent);
    }
  }
  const tokens = answers.size === 0 ? null : [...answers.values()].reduce((sum, each) => sum + each, 0);
  return { story: linesOf(work.takeEntries()), tokens };
}

function tokensIn(usage: unknown): number {
  const counts = Object.entries(asRecord(usage) ?? {}).filter(([name]) => name.endsWith("_tokens"));
  return counts.reduce((sum, [, count]) => sum + (typeof count === "number" ? count : 0), 0);
}

function linesOf(entries: readonly TranscriptEntry[]): StoryLine[] {
  const lines: StoryLine[] = [];
  /** Calls that only looked are told as one line. */
  const looked: StepEntry[] = [];
  const tellLooked = () => {
    const [first] = looked;
    const tools = new Set(looked.map(({ tool }) => tool));
    if (first !== undefined)
      lines.push(lineOf("calls", first.at, `${count(looked.length, "call")}: ${[...tools].join(", ")}`));
    looked.length = 0;
  };
  for (const entry of entries) {
    if (entry.kind === "compacted") continue;
    const told = entry.kind === "step" ? ofStep(entry) : [lineOf(entry.kind, entry.at, entry.text)];
    if (told.length > 0) tellLooked();
    else if (entry.kind === "step") looked.push(entry);
    lines.push(...told);
  }
  tellLooked();
  return lines;
}

function ofStep({ at, tool, ok, command, check, what, path, edits = [] }: StepEntry): StoryLine[] {
  if (check !== undefined) return [checkLine(at, check, ok)];
  if (ok === false) return [lineOf("failed", at, `${tool} ${command ?? path ?? what ?? ""}`.trimEnd())];
  return edits.map(({ counts: [added, removed], ...edit }) => editLine(at, { ...edit, added, removed }));
}
