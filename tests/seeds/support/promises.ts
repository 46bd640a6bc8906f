import { describe, expect, it, vi } from "vitest";
import { Sandbox } from "../../cli/support/sandbox.ts";

type Show = (box: Sandbox, skip: (why: string) => never) => void | Promise<void>;

/** A promise, as the seed words it, and how it is kept. */
export interface Line {
  readonly promise: string;
  readonly kind: keyof PromiseCounts;
  /** Why it is kept otherwise. */
  readonly why: string;
  readonly show?: Show;
}

/** A promise that is kept, as running it shows. */
export const shows = (promise: string, show: Show): Line => ({ promise, kind: "shown", why: "", show });

/** A promise that is kept in another way, for this reason. */
export const different = (promise: string, why: string): Line => ({ promise, kind: "different", why });

export interface PromiseCounts {
  readonly shown: number;
  readonly different: number;
}

/**
 * A seed as a table: a line for every promise, under the headings of its text. `counts` must be right, so that nothing
 * moves from one kind to another unnoticed.
 */
export function seed(
  title: string,
  sections: Readonly<Record<string, readonly Line[]>>,
  counts: PromiseCounts,
): void {
  // Each line starts programs, which takes long on a machine that is busy with other tests.
  vi.setConfig({ testTimeout: 120_000 });
  const lines = Object.values(sections).flat();
  describe.each([title])("%s", () => {
    describe.each(Object.entries(sections))("%s", (_heading, promises) => {
      it.for(promises.map((line) => [nameOf(line), line] as const))(
        "%s",
        async ([, { show, why }], { skip }) => {
          // A reason that says nothing would be a promise left out silently.
          expect(show !== undefined || why.length > 10).toBe(true);
          if (show !== undefined) await inSandbox((box) => show(box, skip));
        },
      );
    });

    it("has each promise once, and says how many are shown and kept otherwise", () => {
      const names = lines.map(({ promise }) => promise);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
      const numberOf = (kind: Line["kind"]) => lines.filter((line) => line.kind === kind).length;
      expect({ shown: numberOf("shown"), different: numberOf("different") }).toEqual(counts);
    });
  });
}

function nameOf({ promise, kind, why }: Line): string {
  return kind === "shown" ? promise : `${promise} (kept otherwise: ${why})`;
}

async function inSandbox(use: (box: Sandbox) => void | Promise<void>): Promise<void> {
  const box = new Sandbox();
  try {
    await use(box);
  } finally {
    box.remove();
  }
}

/** Runs commands that must succeed. Returns what the last one printed. */
export function done(box: Sandbox, ...commands: readonly (readonly string[])[]): string {
  let printed = "";
  for (const words of commands) {
    const { stdout, stderr, status } = box.run(words);
    expect({ words, status, stderr: status === 0 ? "" : stderr }).toEqual({ words, status: 0, stderr: "" });
    printed = stdout;
  }
  return printed;
}
