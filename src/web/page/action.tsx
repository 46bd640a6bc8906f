import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Command, Failure } from "./parts.tsx";

/** A button that says what it will do and how to undo it, asks once more, and then tells what happened. */
export function Action(props: {
  label: string;
  about: ComponentChildren;
  /** The command that takes it back. */
  undo?: string;
  run: () => Promise<ComponentChildren | void>;
  children?: ComponentChildren;
}) {
  const { label, about, undo } = props;
  const [stage, setStage] = useState<"closed" | "asking" | "running">("closed");
  const [outcome, setOutcome] = useState<ComponentChildren>();
  const run = async () => {
    setStage("running");
    try {
      const said = (await props.run()) ?? undefined;
      setOutcome(undo ? [said, " To undo it: ", <Command text={undo} />] : said);
    } catch (error) {
      setOutcome(<Failure error={error as Error} />);
    }
    setStage("closed");
  };
  const open = () => {
    setOutcome(undefined);
    setStage("asking");
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, button")?.focus(), [stage === "asking"]);
  if (stage === "closed")
    return (
      <>
        <button type="button" onClick={open}>
          {label} …
        </button>
        <div role="status">{outcome}</div>
      </>
    );
  return (
    <form
      class="card"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      onKeyDown={({ key }) => key === "Escape" && setStage("closed")}
    >
      <p>
        {about} {undo && ["To undo it: ", <code>{undo}</code>]}
      </p>
      {props.children}
      <div class="row">
        <button type="submit" class="primary" disabled={stage === "running"}>
          {label}
        </button>
        <button type="button" disabled={stage === "running"} onClick={() => setStage("closed")}>
          Not now
        </button>
      </div>
    </form>
  );
}
