/** One line on stderr that says what is being measured. Off a terminal each change is a line of its own. */
export interface Progress {
  /** Names what begins now. */
  readonly step: (name: string) => void;
  /** How much of it is done. */
  readonly at: (done: number, total: number) => void;
  /** Takes the line away before something else is printed. */
  readonly clear: () => void;
}

const MILLISECONDS_BETWEEN_UPDATES = 200;

export function openProgress(): Progress {
  const { stderr } = process;
  const started = performance.now();
  let name = "";
  let updated = 0;
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  return {
    step: (next) => {
      name = next;
      updated = 0;
      stderr.write(stderr.isTTY ? `\r\u001b[K${line("")}` : `${line("")}\n`);
    },
    at: (done, total) => {
      const now = performance.now();
      if (!stderr.isTTY || now - updated < MILLISECONDS_BETWEEN_UPDATES) return;
      updated = now;
      stderr.write(`\r\u001b[K${line(` ${done} of ${total}`)}`);
    },
    clear: () => {
      if (stderr.isTTY) stderr.write("\r\u001b[K");
    },
  };

  function line(rest: string): string {
    return `bench (${seconds()}): ${name}${rest}`;
  }
}
