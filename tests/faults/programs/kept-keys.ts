// What the program key-keeper says, and what those who check it know.

export const PASSPHRASE = "correct horse battery";
/** Quick to compute: only tests may be this weak. */
export const LIGHT = { N: 2 ** 10, r: 8, p: 1 };

export type KeyKept =
  | {
      readonly did: "init" | "rotate";
      readonly turn: number;
      readonly keys: readonly string[];
      readonly machine: string;
    }
  | { readonly did: "key"; readonly turn: number; readonly id: string }
  | { readonly did: "remember" | "register"; readonly turn: number };

export const factsOf = (turn: number) => ["proof", String(turn)];
