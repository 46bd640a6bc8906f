import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Failure } from "./parts.tsx";

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
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, button")?.focus(), [stage === "asking"]);
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
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
      onKeyDown={({ key }) => key === "Escape" && setStage("closed")}
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
