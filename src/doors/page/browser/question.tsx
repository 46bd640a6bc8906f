import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { shellWord } from "../../../core/text/shell-word.ts";
import { verb } from "./api.ts";
import { Choice, Field } from "./fields.tsx";
import { Command, Failure, Hint, useVerb } from "./parts.tsx";
import { hrefTo } from "./route.ts";
import type { Answers } from "./shapes.ts";
import { bytes } from "./words.ts";

type OpenQuestion = Answers["questions"]["questions"][number];

interface Asking {
  readonly run: string;
  readonly isReadOnly: boolean;
  /** Told to the view, because an answered question is gone. */
  readonly onAnswered: (outcome: ComponentChildren) => void;
}

/** Everything that a run asks at this moment, each with its answer in one step. */
export function Questions(props: Asking) {
  const { run } = props;
  const { result, error } = useVerb("questions", { run }, (trail) => trail === `run/${run}`);
  if (error) return <Failure error={error} />;
  return result?.questions.map((question) => (
    <Question key={question.step} {...props} question={question} refused={result.refused} />
  ));
}

/** A question: what is to be looked at, and the answer with its reason. */
function Question(props: Asking & { question: OpenQuestion; refused: string | null }) {
  const { run, question } = props;
  const [reason, setReason] = useState("");
  const [option, setOption] = useState(question.options[0] ?? "");
  const [isSending, setSending] = useState(false);
  const decide = async (approved: boolean) => {
    setSending(true);
    try {
      const answer = { approved, ...(reason && { reason }), ...(approved && option && { option }) };
      const { step, digest } = question;
      const answered = await verb("answer", { run, step, digest, ...answer });
      const said = `${approved ? "Your yes" : "Your no"} to “${question.question}” is recorded.`;
      const goesOn = answered.runner_alive || answered.runs_on === "workers";
      const tell = (more: ComponentChildren) =>
        props.onAnswered(
          <p class="card edge good">
            {said} {more}
          </p>,
        );
      if (!approved || goesOn) tell(approved && "The run continues.");
      else {
        tell("Starting a runner …");
        tell(await resumed(run));
      }
    } catch (error) {
      // Another person may have answered it, and this view is gone with it.
      props.onAnswered(<Failure error={error as Error} />);
    }
    setSending(false);
  };
  return (
    <section class="card edge warn" aria-label={`Question of step ${question.step}`}>
      <h2>{question.question}</h2>
      <p class="quiet small">
        asked by step {question.step} of run <a href={hrefTo("run", { id: run })}>{run}</a>
        {question.reason && `; asked again: ${question.reason}`}
      </p>
      {question.files.length > 0 ? (
        <p>To look at before you decide:</p>
      ) : (
        <p class="quiet">The steps before it registered no files.</p>
      )}
      {question.files.map(({ path, sha256, size_bytes, step, changed, text, is_cut }, index) => (
        <details open={index === 0} key={path}>
          <summary>
            <span class="mono">{path}</span>{" "}
            <span class="quiet small">
              {bytes(size_bytes)}, made by {step}, SHA-256 {sha256.slice(0, 12)}
            </span>{" "}
            {changed && <span class="bad">{sha256 === "missing" ? "is gone" : "was changed since"}</span>}
          </summary>
          {text === null ? (
            <p class="quiet">This file cannot be shown as text.</p>
          ) : (
            <pre class="log" tabIndex={0}>
              {text}
            </pre>
          )}
          {text !== null && is_cut && (
            <p class="bad">Only its beginning is shown. Open the file to read the rest.</p>
          )}
        </details>
      ))}
      {props.refused !== null ? (
        <p class="bad">This page cannot answer it: {props.refused}.</p>
      ) : props.isReadOnly ? (
        <Command text={`checkpoint approve ${shellWord(run)} ${shellWord(question.step)}`} />
      ) : (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void decide(true);
          }}
        >
          {question.options.length > 0 && (
            <Choice label="Option" value={option} names={question.options} choose={setOption} />
          )}
          <Field label="Reason" value={reason} set={setReason} />
          <button type="submit" class="primary" disabled={isSending}>
            Approve and continue
          </button>
          <button type="button" disabled={isSending} onClick={() => void decide(false)}>
            Reject
          </button>
          <p class="quiet small wide">
            A yes covers the files as they are now: if one changes later, the question is asked again. A no
            fails the step with your reason; a resume asks again.
          </p>
        </form>
      )}
    </section>
  );
}

/** Starts a runner, and tells what came of it. */
export async function resumed(run: string): Promise<ComponentChildren> {
  const { isRunning, message, hint } = await verb("resume", { run });
  if (isRunning) return "A runner is at work.";
  return [message || "It ran as far as it could.", " ", hint && <Hint text={hint} />];
}
