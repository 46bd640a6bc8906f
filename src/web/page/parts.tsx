import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Refused, verb } from "./api.ts";
import { hrefTo } from "./route.ts";
import type { Answers } from "./shapes.ts";
import { agoWords, trailWords } from "./words.ts";

/** What a verb answered, or why it did not. The last answer stays on the screen while a newer one is on its way. */
export interface Answer<Result> {
  readonly result?: Result | undefined;
  readonly error?: Error | undefined;
}

/** Calls a verb that only looks, again whenever its input or one of `again` changes; not at all unless `isOn`. */
export function useVerb<Name extends keyof Answers>(
  name: Name,
  input: object = {},
  again: readonly unknown[] = [],
  isOn = true,
): Answer<Answers[Name]> {
  const [answer, setAnswer] = useState<Answer<Answers[Name]>>({});
  useEffect(() => {
    const stop = new AbortController();
    if (!isOn) return () => {};
    verb(name, input, { signal: stop.signal }).then(
      (result) => setAnswer({ result }),
      (error: Error) => {
        if (!stop.signal.aborted) setAnswer((last) => ({ ...last, error }));
      },
    );
    return () => stop.abort();
  }, [name, JSON.stringify(input), isOn, ...again]);
  return answer;
}

/** Draws again so often, as long as it is on: for what depends on the time. */
export function useTick(everyMs: number, isOn = true): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = isOn ? setInterval(() => setTicks((count) => count + 1), everyMs) : undefined;
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
}

/** Shows an answer once it is there, and an error in its own words. */
export function Shown<Result>(props: {
  answer: Answer<Result>;
  children: (result: Result) => ComponentChildren;
}) {
  const { result, error } = props.answer;
  if (error) return <Failure error={error} />;
  return result === undefined ? <p class="quiet">Loading …</p> : <>{props.children(result)}</>;
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
    <div class="card empty">
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
  ...tones("good", "completed live running idle active available ok"),
  ...tones("bad", "failed corrupt damaged died revoked unavailable error"),
  ...tones("quiet", "ended cancelled archived pending skipped unknown"),
};

function tones(tone: string, statuses: string): Record<string, string> {
  return Object.fromEntries(statuses.split(" ").map((status) => [status, tone]));
}

export const toneOf = (status: string) => (Object.hasOwn(TONES, status) ? TONES[status]! : "warn");

export function Badge({ status }: { status: string }) {
  return <span class={`badge ${toneOf(status)}`}>{status.replaceAll("_", " ")}</span>;
}

/** How long ago, with the exact time when pointed at. */
export function Ago({ at }: { at: string | null | undefined }) {
  if (!at) return null;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} class="quiet small">
      {agoWords(Date.now() - Date.parse(at))}
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
