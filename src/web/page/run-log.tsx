import { useEffect, useRef, useState } from "preact/hooks";

import { verb } from "./api.ts";
import { Badge, Failure } from "./parts.tsx";

interface StepLog {
  readonly step: string;
  readonly attempt: number;
  readonly status: string;
  readonly exit_status: number | null;
  readonly text: string;
}

const TAIL_BYTES = 64 * 1024;
/** What a step prints is in a file, so no commit tells of it. */
const LOOK_EVERY_MS = 1000;

/** What a step printed, to its end, and on as long as it runs. */
export function RunLog({ run, step, moves }: { run: string; step: string; moves: number }) {
  const [log, setLog] = useState<StepLog>();
  const [error, setError] = useState<Error>();
  const box = useRef<HTMLPreElement>(null);
  const isRunning = log?.status === "running";
  useEffect(() => {
    const stop = new AbortController();
    const look = async () => {
      try {
        const input = { run, step, tail_bytes: TAIL_BYTES };
        const { logs } = await verb<{ logs: readonly StepLog[] }>("runLogs", input, { signal: stop.signal });
        setLog(logs[0]);
        setError(undefined);
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure as Error);
      }
    };
    void look();
    const timer = isRunning ? setInterval(() => void look(), LOOK_EVERY_MS) : undefined;
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [run, step, moves, isRunning]);
  useEffect(() => {
    const area = box.current;
    if (area) area.scrollTop = area.scrollHeight;
  }, [log?.text]);
  return (
    <section aria-label={`What ${step} printed`}>
      <h2 class="row">
        <span class="grow">What {step} printed</span>
        {log && <Badge status={log.status} />}
        {log && (
          <span class="quiet small">
            attempt {log.attempt}
            {log.exit_status !== null && `, exit status ${log.exit_status}`}
          </span>
        )}
      </h2>
      {error ? (
        <Failure error={error} />
      ) : (
        <pre class="log" ref={box} tabIndex={0}>
          {log === undefined ? "Loading …" : log.text || "Nothing yet."}
        </pre>
      )}
    </section>
  );
}
