import { useEffect, useRef, useState } from "preact/hooks";

import { Choice } from "./fields.tsx";
import { Badge, Shown, useVerb } from "./parts.tsx";
import { range } from "./words.ts";

const TAIL_BYTES = 64 * 1024;
/** What a step prints is in a file, so no commit tells of it. */
const LOOK_EVERY_MS = 1000;

/** What an attempt of a step printed, to its end, and on as long as it runs. */
export function RunLog({ run, step }: { run: string; step: string }) {
  const [attempt, setAttempt] = useState<number>();
  const [isRunning, setRunning] = useState(false);
  const input = { run, step, attempt, tail_bytes: TAIL_BYTES };
  const answer = useVerb(
    "runLogs",
    input,
    (trail) => trail === `run/${run}`,
    isRunning ? LOOK_EVERY_MS : undefined,
  );
  const log = answer.result?.logs[0];
  useEffect(() => setRunning(log?.status === "running" && attempt === undefined), [log, attempt]);
  const newest = useRef(1);
  if (log && attempt === undefined) newest.current = log.attempt;
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    // Do not scroll away from what the reader scrolled back to.
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log?.text]);
  return (
    <section aria-label={`What ${step} printed`}>
      <div class="row">
        <h2 class="grow">What {step} printed</h2>
        {newest.current > 1 && (
          <Choice
            label="Attempt"
            value={String(log?.attempt)}
            names={range(1, newest.current).map(String)}
            choose={(name) => setAttempt(Number(name) === newest.current ? undefined : Number(name))}
          />
        )}
        {log && <Badge status={log.status} />}
        {log && log.exit_status !== null && <span class="quiet small">exit status {log.exit_status}</span>}
      </div>
      <Shown answer={answer}>
        {() => (
          <pre
            class="log"
            ref={box}
            tabIndex={0}
            onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
              isAtEnd.current = scrollTop + clientHeight > scrollHeight - 30;
            }}
          >
            {log?.text || "Nothing yet."}
          </pre>
        )}
      </Shown>
    </section>
  );
}
