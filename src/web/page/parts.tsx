import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Refused, verb } from "./api.ts";
import { hrefTo } from "./route.ts";
import { agoWords } from "./words.ts";

/** What a verb answered, or why it did not. The last answer stays on the screen while a newer one is on its way. */
export interface Answer<Result> {
  readonly result?: Result | undefined;
  readonly error?: Error | undefined;
}

/** Calls a verb that only looks, again whenever its input or one of `again` changes. */
export function useVerb<Result>(name: string, input: object, again: readonly unknown[] = []): Answer<Result> {
  const [answer, setAnswer] = useState<Answer<Result>>({});
  useEffect(() => {
    const stop = new AbortController();
    verb<Result>(name, input, { signal: stop.signal }).then(
      (result) => setAnswer({ result }),
      (error: Error) => {
        if (!stop.signal.aborted) setAnswer((last) => ({ ...last, error }));
      },
    );
    return () => stop.abort();
  }, [name, JSON.stringify(input), ...again]);
  return answer;
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
      <p>{isAway ? "The server does not answer. If it was stopped: checkpoint ui" : error.message}</p>
      {hints.map((hint) => (
        <p key={hint}>
          <Command text={hint} />
        </p>
      ))}
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
  completed: "good",
  live: "good",
  running: "good",
  idle: "good",
  ended: "quiet",
  failed: "bad",
  corrupt: "bad",
  damaged: "bad",
  died: "bad",
  cancelled: "quiet",
  archived: "quiet",
  pending: "quiet",
  skipped: "quiet",
};

export const toneOf = (status: string) => TONES[status] ?? "warn";

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
  return <a href={hrefTo("trail", { name })}>{name}</a>;
}

export function CheckpointLink({ id, trail }: { id: string; trail?: string | undefined }) {
  return (
    <a class="mono" href={hrefTo("checkpoint", { id, trail })}>
      {id}
    </a>
  );
}

/** A button that says what it will do and how to undo it, asks once more, and then tells what happened. */
export function Action(props: {
  label: string;
  about: ComponentChildren;
  run: () => Promise<ComponentChildren | void>;
  children?: ComponentChildren;
}) {
  const [stage, setStage] = useState<"closed" | "asking" | "running">("closed");
  const [outcome, setOutcome] = useState<ComponentChildren>();
  const run = async () => {
    setStage("running");
    try {
      setOutcome((await props.run()) ?? undefined);
    } catch (error) {
      setOutcome(<Failure error={error as Error} />);
    }
    setStage("closed");
  };
  const open = () => {
    setOutcome(undefined);
    setStage("asking");
  };
  if (stage === "closed")
    return (
      <>
        <button type="button" onClick={open}>
          {props.label} …
        </button>
        <div role="status">{outcome}</div>
      </>
    );
  return (
    <form
      class="card asking"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <p>{props.about}</p>
      {props.children}
      <div class="row">
        <button type="submit" class="primary" disabled={stage === "running"}>
          {props.label}
        </button>
        <button type="button" disabled={stage === "running"} onClick={() => setStage("closed")}>
          Not now
        </button>
      </div>
    </form>
  );
}
