import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { shellWord } from "../../../core/text/shell-word.ts";
import { verb } from "./api.ts";
import { Choice, Command, Failure, Field } from "./parts.tsx";
import { Action } from "./action.tsx";
import type { Answers } from "./shapes.ts";
import { bytes } from "./words.ts";

type OpenQuestion = Answers["questions"]["questions"][number];

/** A question of a run: what is to be looked at, and the answer with its reason. */
export function Question(props: {
  run: string;
  question: OpenQuestion;
  /** Why it cannot be answered here. */
  refused: string | null;
  isReadOnly: boolean;
  onAnswered: (outcome: ComponentChildren) => void;
}) {
  const { run, question } = props;
  const [reason, setReason] = useState("");
  const [option, setOption] = useState(question.options[0] ?? "");
  const decide = (approved: boolean) => async () => {
    const answer = { approved, ...(reason && { reason }), ...(approved && option && { option }) };
    const { step, digest } = question;
    const { runner_alive, go_on } = await verb("answer", { run, step, digest, ...answer }).catch(
      (error: Error) => {
        // The question may be gone, because somebody else answered it, and this view with it.
        props.onAnswered(<Failure error={error} />);
        throw error;
      },
    );
    props.onAnswered(
      <p class="good">
        {approved ? "Your yes" : "Your no"} to “{question.question}” is recorded.{" "}
        {runner_alive
          ? "The run continues."
          : ["No runner is at work: resume it here, or ", <Command text={go_on} />]}
      </p>,
    );
  };
  return (
    <section class="card edge warn" aria-label={`Question of step ${question.step}`}>
      <h2>{question.question}</h2>
      <p class="quiet small">
        asked by step {question.step}
        {question.reason && `; asked again: ${question.reason}`}
      </p>
      <p>To look at before you decide:</p>
      {question.files.length === 0 && <p class="quiet">The steps before it registered no files.</p>}
      {question.files.map(({ path, sha256, size_bytes, step, changed, text, is_cut }, index) => (
        <details open={index === 0} key={path}>
          <summary>
            <span class="mono">{path}</span>{" "}
            <span class="quiet small">
              {bytes(size_bytes)}, made by {step}, SHA-256 {sha256.slice(0, 12)}
            </span>{" "}
            {changed && <span class="bad">{sha256 === "missing" ? "is gone" : "was changed since"}</span>}
          </summary>
          {text === null ? <p class="quiet">This file cannot be shown as text.</p> : <pre>{text}</pre>}
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
        <>
          <p class="row">
            {question.options.length > 0 && (
              <Choice label="Option" value={option} names={question.options} choose={setOption} />
            )}
            <Field label="Reason" value={reason} set={setReason} />
          </p>
          <div class="row">
            <Action
              label="Approve"
              about="Records your yes, with the files as they are now: if one changes later, the question is asked again."
              run={decide(true)}
            />
            <Action
              label="Reject"
              about="Records your no: the step fails with your reason, and the run stops there. A resume asks again."
              run={decide(false)}
            />
          </div>
        </>
      )}
    </section>
  );
}
