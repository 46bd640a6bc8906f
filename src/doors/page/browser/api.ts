import { isRecord } from "../../../core/text/untrusted.ts";
import { visible } from "../../../core/text/visible.ts";
import type { StoreState } from "../../../work/project/store-state.ts";
import type { News } from "../live.ts";
import type { Answers } from "./shapes.ts";

/** What the server refuses, in its own words. */
export class Refused extends Error {
  readonly hint: string | null;
  readonly code: string;
  /** How the store is as a whole, where that is the reason. */
  readonly store: StoreState | null;

  constructor({ message, hint = null, code = "refused", store = null }: Partial<Refused>) {
    super(message);
    this.hint = hint;
    this.code = code;
    this.store = store;
  }
}

const KEY = "cairn-key";

/** How long another tab may take to answer. */
const TABS_MS = 300;

/**
 * Takes the key out of the address at once, so that it stands in no history and no bookmark. A tab that was opened
 * without it asks the others. A key is for one start of the server: once that is gone, another program may have its port.
 */
export async function takeKey(): Promise<void> {
  const tabs = new BroadcastChannel("cairn-key");
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search);
  } else if (sessionStorage.getItem(KEY) === null) {
    await new Promise<void>((resolve) => {
      const take = ({ data }: MessageEvent<string>) => {
        if (data === "") return;
        sessionStorage.setItem(KEY, data);
        resolve();
      };
      tabs.addEventListener("message", take);
      setTimeout(resolve, TABS_MS);
      tabs.postMessage("");
    });
  }
  tabs.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const key = sessionStorage.getItem(KEY);
    if (data === "" && key !== null) tabs.postMessage(key);
  });
}

/** What a tab says once its server was away: it never sends its key to what may have taken the port since. */
export class ServerGone extends Error {}

let isGone = false;

/** A browser also ends what is under way when the tab is closed or loaded again: that says nothing about the server. */
let isLeaving = false;
for (const leaving of ["beforeunload", "pagehide"]) addEventListener(leaving, () => (isLeaving = true));
export const isTabLeaving = () => isLeaving;

/** Asks the server, with the key. After the first time that it does not answer, nothing is asked any more. */
async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  if (isGone) throw new ServerGone();
  const authorization = `Bearer ${sessionStorage.getItem(KEY) ?? ""}`;
  try {
    return await fetch(path, { ...init, headers: { authorization } });
  } catch (error) {
    if (error instanceof TypeError) throw serverGone();
    throw error;
  }
}

/** Forgets the key. The address that the next start prints brings a new one. */
export function serverGone(): ServerGone {
  isGone = true;
  if (!isLeaving) sessionStorage.removeItem(KEY);
  return new ServerGone();
}

/** Text from elsewhere may hold characters that reorder or hide what stands beside it: they are written out. */
function shown(_name: string, value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [visible(name), item]));
}

async function answerOf<Answer>(response: Response, reviver?: typeof shown): Promise<Answer> {
  const answer = JSON.parse(await response.text(), reviver) as Answer & { error?: Refused };
  if (answer.error) throw new Refused(answer.error);
  return answer;
}

/** Calls a verb of the project. With `exact` it answers as it is stored, also what cannot be seen. */
export async function verb<Name extends keyof Answers>(
  name: Name,
  input: object = {},
  { exact = false } = {},
): Promise<Answers[Name]> {
  const body = JSON.stringify(input);
  const response = await ask(`/api/verb/${name}`, { method: "POST", body });
  return (await answerOf<{ result: Answers[Name] }>(response, exact ? undefined : shown)).result;
}

export async function get<Result>(path: string): Promise<Result> {
  return answerOf<Result>(await ask(path), shown);
}

/** Tells what is new until the stream breaks, now and then nothing, as a sign of life. EventSource cannot send the key. */
export async function readStream(onNews: (news: News) => void): Promise<void> {
  const response = await ask("/api/live");
  if (response.status === 401) throw new Refused({ message: "The key is not valid." });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) onNews(JSON.parse(block.replace(/^data:/, "")) as News);
  }
}
