import { readAt } from "../../core/trails/diff/read-at.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import { type CheckpointInfo, readCheckpoint } from "../../core/trails/document.ts";
import { ImmutableTrail } from "../../work/state/immutable-trail.ts";
import type { Redactor } from "../../core/redaction/redactor.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import { projectPrefix, trailOfKey } from "./trail-names.ts";
import type {
  AgentSdkSessionStore,
  FoldSessionSummary,
  SessionKey,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "./types.ts";

export interface AgentSdkSessionStoreOptions {
  /** Pass the SDK's own function to have summaries kept up to date with each append. */
  readonly foldSessionSummary?: FoldSessionSummary | undefined;
  /** Takes secrets out of entries before they are stored. Without one they come back exactly as they were given. */
  readonly redactor?: Redactor | undefined;
}

interface Transcript {
  readonly entries: readonly SessionStoreEntry[];
  readonly summary?: SessionSummaryEntry["data"];
}

/** So many transcripts are kept in memory for the next append. */
const MAX_HANDLES = 32;

/**
 * A session store for the Claude Agent SDK: transcripts live in a Cairn store, one trail each. An entry with a `uuid`
 * that is there already is ignored, so retries and imports add nothing twice; two processes may append to one session.
 *
 * @example
 * import { query, foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
 * import { openCairn } from "cairn-checkpoint";
 * import { agentSdkSessionStore } from "cairn-checkpoint/agent-sdk";
 *
 * const cairn = await openCairn();
 * const sessionStore = agentSdkSessionStore(cairn, { foldSessionSummary });
 * for await (const message of query({ prompt: "…", options: { sessionStore } })) { … }
 */
export function agentSdkSessionStore(
  cairn: Cairn,
  options: AgentSdkSessionStoreOptions = {},
): AgentSdkSessionStore {
  const { foldSessionSummary, redactor } = options;
  const handles = new Map<string, ImmutableTrail<Transcript>>();

  function handleOf(key: SessionKey): ImmutableTrail<Transcript> {
    const name = trailOfKey(key);
    const handle = handles.get(name) ?? new ImmutableTrail<Transcript>(cairn, name, { entries: [] });
    // Put last again: the one that was used longest ago is forgotten first.
    handles.delete(name);
    handles.set(name, handle);
    if (handles.size > MAX_HANDLES) handles.delete(handles.keys().next().value as string);
    return handle;
  }

  /** The newest checkpoint of each trail with this prefix, and where its state is. */
  async function headsOf(prefix: string): Promise<{ info: CheckpointInfo; root: ObjectId; name: string }[]> {
    const trails = await cairn.trails({ prefix });
    const bytes = await cairn.store.readObjects(trails.map(({ head }) => head));
    return trails.flatMap(({ name, head }) => {
      const found = bytes.get(head);
      return found === undefined ? [] : [{ ...readCheckpoint(head, found), name }];
    });
  }

  const sessionsOf = async (projectKey: string) => {
    const prefix = projectPrefix(projectKey);
    return (await headsOf(prefix)).filter(({ name }) => !name.slice(prefix.length).includes("/"));
  };

  return {
    async append(key, entries) {
      // Copied, because the caller may change them afterwards.
      const copies = structuredClone(entries);
      const clean =
        redactor === undefined
          ? copies
          : (redactor.redact(copies as never) as { value: typeof entries }).value;
      await handleOf(key).update((transcript) => appended(transcript, key, clean, foldSessionSummary), {
        trigger: "append",
        session_id: key.sessionId,
        // Names of trails may be shortened, so the whole one is kept here.
        notes: key.subpath,
      });
    },

    async load(key) {
      const transcript = await handleOf(key).read();
      return transcript === undefined ? null : structuredClone([...transcript.entries]);
    },

    async listSessions(projectKey) {
      return (await sessionsOf(projectKey)).map(({ info }) => sessionOf(info));
    },

    ...(foldSessionSummary === undefined
      ? {}
      : {
          async listSessionSummaries(projectKey: string) {
            const read: ReadObjects = (ids) => cairn.store.readObjects(ids);
            const summaries: SessionSummaryEntry[] = [];
            for (const { info, root } of await sessionsOf(projectKey)) {
              // Only the summary is read, however long the transcript is.
              const data = await readAt(root, ["summary"], read);
              if (data !== undefined)
                summaries.push({ ...sessionOf(info), data: data as SessionSummaryEntry["data"] });
            }
            return summaries;
          },
        }),

    async delete(key) {
      const name = trailOfKey(key);
      const below = key.subpath === undefined ? await cairn.trails({ prefix: `${name}/` }) : [];
      const trails = [name, ...below.map((trail) => trail.name)];
      await cairn.store.remove({ trails });
      for (const trail of trails) handles.delete(trail);
    },

    async listSubkeys(key) {
      const heads = await headsOf(`${trailOfKey(key)}/`);
      return heads.flatMap(({ info }) => info.notes ?? []);
    },
  };
}

function sessionOf(info: CheckpointInfo): { sessionId: string; mtime: number } {
  return { sessionId: info.session_id ?? "", mtime: Date.parse(info.created_at) };
}

/** The transcript with those entries that it lacks; the same one when it has them all. */
function appended(
  transcript: Transcript,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  fold: FoldSessionSummary | undefined,
): Transcript {
  const known = new Set(transcript.entries.map(({ uuid }) => uuid));
  const fresh = entries.filter(({ uuid }) => {
    if (uuid === undefined) return true;
    if (known.has(uuid)) return false;
    known.add(uuid);
    return true;
  });
  if (fresh.length === 0) return transcript;
  const next = { ...transcript, entries: [...transcript.entries, ...fresh] };
  if (fold === undefined || key.subpath !== undefined) return next;
  const { sessionId } = key;
  const before = transcript.summary && { sessionId, mtime: 0, data: structuredClone(transcript.summary) };
  return { ...next, summary: fold(before, key, structuredClone(fresh), { mtime: 0 }).data };
}
