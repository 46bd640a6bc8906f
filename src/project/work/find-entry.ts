import { CheckpointError } from "../../errors.ts";
import { asText, textOf } from "../../text/untrusted.ts";

/** How the entries of a list are called, and where they are shown with their numbers. */
export interface ListedAs {
  readonly noun: string;
  readonly shownBy: string;
}

/** The place of the one entry that a person means: by its number, or by words that only it has. */
export function findEntry(entries: readonly unknown[], which: string, { noun, shownBy }: ListedAs): number {
  const number = /^\d+$/.test(which) ? Number(which) : undefined;
  if (number !== undefined && number >= 1 && number <= entries.length) return number - 1;
  const matches = entries.flatMap((entry, index) =>
    (asText(entry) ?? textOf(entry, "text", "what") ?? "").toLowerCase().includes(which.toLowerCase())
      ? [index]
      : [],
  );
  const [only] = matches;
  if (number === undefined && only !== undefined && matches.length === 1) return only;
  if (number === undefined && matches.length > 1) {
    throw new CheckpointError(
      "usage",
      `"${which}" could be ${matches.length} ${noun}s: ${matches.map((index) => index + 1).join(", ")}.`,
      { hint: `Give its number: ${shownBy}`, details: { which } },
    );
  }
  const what = number === undefined ? `${noun} with "${which}" in it` : `${noun} ${number}`;
  throw new CheckpointError("not-found", `There is no ${what}.`, { hint: shownBy, details: { which } });
}
