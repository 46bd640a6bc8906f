import { asList, asRecord, isRecord, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { CLIENT_NAMES } from "../../clients/clients.ts";
import type { StepEntry, TranscriptEntry } from "../../sessions/events/transcript-entry.ts";
import { TranscriptWork } from "../../sessions/transcripts/transcript-work.ts";
import { TRANSCRIPTS } from "../../sessions/transcripts/transcripts.ts";
import { loadIfAny } from "../../sessions/trails/unfinished.ts";
import type { Activity } from "../../state/activity.ts";
import type { Cairn } from "../../state/cairn.ts";
import { count } from "../../state/words.ts";
import { openFeed } from "../feed/feed.ts";
import { newestCursor } from "../feed/position.ts";
import type { Project } from "../project.ts";
import type { AgentSessionReport } from "./sessions.ts";

/** Something that happened in a session. */
export interface StoryLine {
  readonly at: string;
  readonly kind: "prompt" | "said" | "edit" | "check" | "failed" | "calls";
  readonly text: string;
}

export interface SessionStory {
  readonly story: readonly StoryLine[];
  /** What its answers took, with all that was read for them; null where no archived transcript says. */
  readonly tokens: number | null;
}

/** What happened in a session, in order: all of it where its transcript was imported, and then what hooks recorded since. */
export async function sessionStory(
  project: Project,
  { trail, transcript }: Pick<AgentSessionReport, "trail" | "transcript">,
): Promise<SessionStory> {
  const cairn = await project.stores.open(project, "read");
  const { story: told, tokens } = await fromArchive(cairn, transcript.archived, project.root);
  const state = (await loadIfAny(cairn, trail))?.state;
  const since = told.at(-1)?.at ?? "";
  const recorded = isRecord(state?.activity) ? fromActivity(state.activity) : [];
  return { story: [...told, ...recorded.filter(({ at }) => at > since)], tokens };
}

/** What is added to a story that was told, until its session ends or `signal` says stop. */
export async function* followStory(
  project: Project,
  session: AgentSessionReport,
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
      const spent = Object.entries(asRecord(own(message, "usage")) ?? {}).filter(([name]) =>
        name.endsWith("_tokens"),
      );
      const counts = spent.map(([, tokens]) => tokens).filter((tokens) => typeof tokens === "number");
      const id = textOf(message, "id");
      if (id !== undefined && counts.length > 0)
        answers.set(
          id,
          counts.reduce((sum, each) => sum + each, 0),
        );
    }
  }
  const tokens = answers.size === 0 ? null : [...answers.values()].reduce((sum, each) => sum + each, 0);
  return { story: linesOf(work.takeEntries()), tokens };
}

function linesOf(entries: readonly TranscriptEntry[]): StoryLine[] {
  const lines: StoryLine[] = [];
  /** Calls that only looked are told as one line. */
  let looked: StepEntry[] = [];
  const tellLooked = () => {
    const [first] = looked;
    const tools = [...new Set(looked.map(({ tool }) => tool))].join(", ");
    if (first !== undefined)
      lines.push({ at: first.at, kind: "calls", text: `${count(looked.length, "call")}: ${tools}` });
    looked = [];
  };
  for (const entry of entries) {
    if (entry.kind === "compacted") continue;
    const told =
      entry.kind === "step" ? ofStep(entry) : [{ at: entry.at, kind: entry.kind, text: entry.text }];
    if (told.length > 0) tellLooked();
    else if (entry.kind === "step") looked.push(entry);
    lines.push(...told);
  }
  tellLooked();
  return lines;
}

function ofStep({ at, tool, ok, command, check, what, path, edits = [] }: StepEntry): StoryLine[] {
  if (ok === false && check === undefined)
    return [{ at, kind: "failed", text: `${tool} ${command ?? path ?? what ?? ""}`.trimEnd() }];
  if (check !== undefined) return [checkLine(at, check, ok)];
  return edits.map(({ path: file, change, counts: [added, removed] }) => ({
    at,
    kind: "edit",
    text: editText({ path: file, change, added, removed }),
  }));
}

const checkLine = (at: string, check: string, ok: boolean | null): StoryLine => ({
  at,
  kind: "check",
  text: `${ok === null ? "ended" : ok ? "passed" : "failed"}: ${check}`,
});

const editText = (edit: { path: string; change: string; added: number; removed: number }) =>
  `${edit.path} ${edit.change} +${edit.added} -${edit.removed}`;

/** From what hooks recorded: bounded, of long sessions the end. */
function fromActivity({ turns, edits, results }: Partial<Activity>): StoryLine[] {
  const ofTurns = asList(turns).flatMap((turn): StoryLine[] => {
    const at = textOf(turn, "at") ?? "";
    const asked = textOf(turn, "asked");
    const said = asList((turn as { said?: unknown }).said).filter((text) => typeof text === "string");
    const prompt = asked === undefined ? [] : [{ at, kind: "prompt", text: asked } as const];
    return [...prompt, ...said.map((text) => ({ at, kind: "said", text }) as const)];
  });
  const ofEdits = (edits ?? []).map((edit) => ({ at: edit.at, kind: "edit", text: editText(edit) }) as const);
  const ofChecks = (results ?? []).flatMap(({ at, check, command, ok }): StoryLine[] =>
    check === undefined ? (ok ? [] : [{ at, kind: "failed", text: command }]) : [checkLine(at, check, ok)],
  );
  return [...ofTurns, ...ofEdits, ...ofChecks].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
