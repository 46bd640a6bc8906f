import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";

import { ago } from "../../text/time.ts";
import { Refused, verb } from "./api.ts";
import { useMoves } from "./live.ts";
import { hrefTo } from "./route.ts";
import type { Answers } from "./shapes.ts";
import { trailWords } from "./words.ts";

/** What a verb answered, or why it did not. The last answer stays on the screen while a newer one is on its way. */
export interface Answer<Result> {
  readonly result?: Result | undefined;
  readonly error?: Error | undefined;
}

/** Calls a verb that only looks, again whenever its input or `looks` changes, or a trail moves that `follows` names. */
export function useVerb<Name extends keyof Answers>(
  name: Name,
  input: object = {},
  follows: (trail: string) => boolean = () => false,
  looks = 0,
): Answer<Answers[Name]> {
  const [answer, setAnswer] = useState<Answer<Answers[Name]>>({});
  const moves = useMoves(follows);
  useEffect(() => {
    const stop = new AbortController();
    verb(name, input, { signal: stop.signal }).then(
      (result) => setAnswer({ result }),
      (error: Error) => {
        if (!stop.signal.aborted) setAnswer((last) => ({ ...last, error }));
      },
    );
    return () => stop.abort();
  }, [name, JSON.stringify(input), moves, looks]);
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

export function Failure({ error }: { error: Error }) {
  const hints = error instanceof Refused ? (error.hint?.split("\n") ?? []) : [];
  const isAway = error instanceof TypeError;
  return (
    <div class="card bad" role="alert">
      <p>{isAway ? "The server does not answer. If it was stopped, start it again:" : error.message}</p>
      {(isAway ? ["checkpoint ui"] : hints).map((hint) => (
        <p key={hint}>
          <Command text={hint} />
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

/** A command to copy. What is not a command is only shown. */
export function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  if (!/^(checkpoint|cd|claude|codex|gemini|opencode|npm) /.test(text)) return <span>{text}</span>;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
        {isCopied ? "copied" : "copy"}
      </button>
    </span>
  );
}

const TONES: Readonly<Record<string, string>> = {
  good: "completed live running working idle active available ok",
  bad: "failed corrupt damaged died revoked unavailable error",
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

/** An input with its label. */
export function Field(props: { label: string; set?: (value: string) => void } & ComponentProps<"input">) {
  const { label, set, ...input } = props;
  return (
    <label class="row grow">
      {label} <input {...input} onInput={(event) => set?.(event.currentTarget.value)} />
    </label>
  );
}

/** A choice of one of some names. */
export function Choice(props: {
  label: string;
  value: string | undefined;
  names: readonly string[];
  choose: (name: string) => void;
}) {
  return (
    <label>
      {props.label}{" "}
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value)}>
        {props.names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
