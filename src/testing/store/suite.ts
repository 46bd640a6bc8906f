import type { Store } from "../../core/store/contract.ts";
import type { TestRunner } from "../test-runner.ts";

export interface StoreTestOptions extends TestRunner {
  /** Opens the data of a store again that the suite has closed. Without it nothing is tested about what stays. */
  readonly reopen?: ((closed: Store) => Promise<Store>) | undefined;
  /** Opens a second handle on the data of an open store. Without it no two handles race. */
  readonly openSecond?: ((store: Store) => Promise<Store>) | undefined;
  /** False for a store that writes what is asked for at once in any order, as over several connections. */
  readonly isInOrder?: boolean | undefined;
  /** Where the random walks start. A failure names the seed that repeats it. */
  readonly seed?: number | undefined;
}

/** What a topic of the suite needs to say what it tests. Every store it gets is fresh, and closed for it. */
export interface Suite {
  /** For what is promised only by stores that keep the order of calls. */
  readonly testOrdered: Suite["test"];
  readonly seed: number;
  readonly test: (name: string, body: (store: Store) => Promise<void>) => void;
  /** `reopen` closes the store and returns a new handle on the same data. */
  readonly testReopened: (
    name: string,
    body: (store: Store, reopen: () => Promise<Store>) => Promise<void>,
  ) => void;
  readonly testShared: (name: string, body: (store: Store, second: Store) => Promise<void>) => void;
}

export function createSuite(open: () => Promise<Store>, options: StoreTestOptions): Suite {
  const { it, reopen, openSecond, isInOrder = true, seed = 1 } = options;

  const leaveOut = (name: string, option: string) => {
    it.skip(`${name} [left out: testStore was called without ${option}]`, () => Promise.resolve());
  };
  /** Closing twice is allowed, so a test may close its stores itself. */
  const run = (name: string, body: (keep: (opening: Promise<Store>) => Promise<Store>) => Promise<void>) => {
    it(name, async () => {
      const opened: Store[] = [];
      const keep = async (opening: Promise<Store>) => {
        opened.push(await opening);
        return opening;
      };
      try {
        await body(keep);
      } finally {
        for (const store of opened) await store.close();
      }
    });
  };

  return {
    seed,
    test(name, body) {
      run(name, async (keep) => body(await keep(open())));
    },
    testOrdered(name, body) {
      if (!isInOrder) return leaveOut(name, "isInOrder");
      run(name, async (keep) => body(await keep(open())));
    },
    testReopened(name, body) {
      if (!reopen) return leaveOut(name, "reopen");
      run(name, async (keep) => {
        let last = await keep(open());
        await body(last, async () => {
          await last.close();
          return (last = await keep(reopen(last)));
        });
      });
    },
    testShared(name, body) {
      if (!openSecond) return leaveOut(name, "openSecond");
      run(name, async (keep) => {
        const first = await keep(open());
        await body(first, await keep(openSecond(first)));
      });
    },
  };
}
