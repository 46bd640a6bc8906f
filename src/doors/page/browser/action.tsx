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
  const box = useRef<HTMLDivElement>(null);
  const isOpen = stage !== "closed";
  const wasOpen = useRef(false);
  useEffect(() => {
    // Focus goes into the form, and back to the button once it is closed.
    if (isOpen || wasOpen.current) box.current?.querySelector<HTMLElement>("input, button")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const button = (
    <button type="button" onClick={open}>
      {label} …
    </button>
  );
  const form = (
    <form
      class="card"
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
  return (
    <div ref={box}>
      {isOpen ? form : button}
      <div role="status">{outcome}</div>
    </div>
  );
}
