import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { ago } from "../../../core/text/time.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { Refused, ServerGone, verb } from "./api.ts";
import { useMoves } from "./live.ts";
import { hrefTo } from "./route.ts";
import type { Answers } from "./shapes.ts";
import { trailWords } from "./words.ts";

/** What a verb answered, or why it did not. The last answer stays on the screen while a newer one is on its way. */
export interface Answer<Result> {
  readonly result?: Result | undefined;
  readonly error?: Error | undefined;
}

/** How often to look again for what no commit tells: that a runner or an agent died. */
const AGAIN_MS = 60_000;

/**
 * Calls a verb that only looks, again whenever its input changes. With `follows` also when a trail moves that it names,
 * and every `againMs`.
 */
export function useVerb<Name extends keyof Answers>(
  name: Name,
  input: object = {},
  follows?: (trail: string) => boolean,
  againMs = AGAIN_MS,
): Answer<Answers[Name]> {
  const [answer, setAnswer] = useState<Answer<Answers[Name]>>({});
  const moves = useMoves(follows ?? (() => false));
  const ticks = useTick(againMs, follows !== undefined);
  const key = `${name} ${JSON.stringify(input)}`;
  const last = useRef({ key, asked: 0, shown: 0 });
  useEffect(() => {
    const request = ++last.current.asked;
    last.current.key = key;
    // Answers may overtake each other, and the question may be another one by now.
    const show = (next: (before: Answer<Answers[Name]>) => Answer<Answers[Name]>) => {
      if (last.current.key !== key || request < last.current.shown) return;
      last.current.shown = request;
      setAnswer(next);
    };
    verb(name, input).then(
      (result) => show(() => ({ result })),
      (error: Error) => show((before) => ({ ...before, error })),
    );
  }, [key, moves, ticks]);
  return answer;
}

/** For what follows everything. */
export const anyTrail = () => true;

/** Draws again so often, as long as it is on, for what depends on the time. Counts the times. */
export function useTick(everyMs: number, isOn = true): number {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const timer = isOn ? setInterval(() => setTicks((count) => count + 1), everyMs) : undefined;
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return ticks;
}

/** Shows an answer once it is there, and an error in its own words. */
export function Shown<Result>(props: {
  title?: string;
  answer: Answer<Result>;
  children: (result: Result) => ComponentChildren;
}) {
  const { result, error } = props.answer;
  return (
    <>
      {props.title && <h1>{props.title}</h1>}
      {error && <Failure error={error} />}
      {!error && (result === undefined ? <p class="quiet">Loading …</p> : props.children(result))}
    </>
  );
}

/** Each kind of loss has a title and a colour of its own: none of them looks like a project without work. */
const FAILURES = {
  stopped: ["◻ The page is cut off", "bad"],
  gone: ["✕ The store is gone", "bad"],
  unreachable: ["↯ The database does not answer", "warn"],
  corrupt: ["◆ Damaged", "damaged"],
  empty: ["◌ Nothing is saved yet", "quiet"],
  live: ["", "bad"],
} as const;

export function Failure({ error }: { error: Error }) {
  const refused = error instanceof Refused ? error : undefined;
  const isStopped = error instanceof ServerGone;
  const kind = isStopped ? "stopped" : (refused?.store ?? (refused?.code === "corrupt" ? "corrupt" : "live"));
  const [title, tone] = FAILURES[kind];
  const hints = isStopped ? ["checkpoint ui"] : (refused?.hint?.split("\n") ?? []);
  return (
    <div class={`card edge ${tone}`} role={kind === "empty" ? "status" : "alert"}>
      {title && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      <p>
        {isStopped
          ? "The server has stopped. Start it again, and open the address that it prints:"
          : error.message}
      </p>
      {hints.map((hint) => (
        <p key={hint}>
          <Hint text={hint} />
        </p>
      ))}
    </div>
  );
}

/** What is shown where there is nothing yet, and how to get there. */
export function Empty({ children, command }: { children: ComponentChildren; command?: string }) {
  return (
    <div class="card">
      <p>{children}</p>
      {command && <Command text={command} />}
    </div>
  );
}

/** A hint of the server: a command to copy, or only words. */
export const Hint = ({ text }: { text: string }) =>
  text.startsWith("checkpoint ") ? <Command text={text} /> : <span>{text}</span>;

/** A command to copy, which is one line whatever its names hold. */
export function Command(props: { text: string }) {
  const text = oneLine(props.text);
  return (
    <span class="command">
      <code>{text}</code>
      <Copy label="copy" about={`copy ${text}`} text={() => text} />
    </span>
  );
}

/** Puts a text on the clipboard, and tells whether that was allowed. */
export function Copy({ label, about, text }: { label: string; about?: string; text: () => string }) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    await navigator.clipboard.writeText(text()).then(
      () => setOutcome("copied"),
      () => setOutcome("not allowed: select it and copy it by hand"),
    );
    setTimeout(() => setOutcome(""), 3000);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()} aria-label={about}>
        {label}
      </button>
      <span class="small quiet" role="status">
        {outcome}
      </span>
    </>
  );
}

const TONES: Readonly<Record<string, string>> = {
  good: "completed live running working idle active available ok",
  bad: "failed died revoked unavailable error",
  damaged: "corrupt damaged",
  quiet: "ended cancelled archived pending skipped unknown",
};

/** What a status means: good, bad, quiet, or worth a look. */
export const toneOf = (status: string) =>
  Object.keys(TONES).find((tone) => TONES[tone]!.split(" ").includes(status)) ?? "warn";

export function Badge({ status }: { status: string }) {
  return <span class={`badge ${toneOf(status)}`}>{status.replaceAll("_", " ")}</span>;
}

/** A card that begins with a status, a title and a time; with an edge where somebody should look. */
export function Card(props: {
  status: string;
  title: ComponentChildren;
  at: string | null | undefined;
  hasEdge?: boolean;
  children: ComponentChildren;
}) {
  const { status, title, at, hasEdge, children } = props;
  return (
    <article class={hasEdge ? `card edge ${toneOf(status)}` : "card"}>
      <p class="row">
        <Badge status={status} />
        <strong class="grow">{title}</strong>
        <Ago at={at} />
      </p>
      {children}
    </article>
  );
}

/** A part of a whole, in percent, from where it begins. */
export function Bar({ from = 0, size, tone }: { from?: number; size: number; tone: string }) {
  return (
    <div class={`bar ${tone}`}>
      <span style={{ left: `${from}%`, width: `${size}%` }} />
    </div>
  );
}

/** How long ago, with the exact time when pointed at. */
export function Ago({ at }: { at: string | null | undefined }) {
  if (!at) return null;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} class="quiet small">
      {ago(at, new Date())}
    </time>
  );
}

export function TrailLink({ name }: { name: string }) {
  return (
    <a href={hrefTo("trail", { name })} title={name}>
      {trailWords(name)}
    </a>
  );
}

export function CheckpointLink({ id, trail }: { id: string; trail?: string | undefined }) {
  return (
    <a class="mono" href={hrefTo("checkpoint", { id, trail })}>
      {id}
    </a>
  );
}
