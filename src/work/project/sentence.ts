import { CheckpointError } from "../../core/errors.ts";
import { MAX_TEXT } from "../verbs/command-words.ts";

/** A text that says something. */
export function meaningful(text: string, what: string): string {
  const said = text.trim();
  if (said === "")
    throw new CheckpointError("usage", `${what} is empty.`, { hint: "Say it in a few words, in quotes." });
  return bounded(said, what);
}

/** How a variable is called in every door: blanks around its name would make it another one that looks the same. */
export function variableName(typed: string): string {
  return meaningful(typed, "The variable's name");
}

/** Notes that say nothing count as none. */
export function notesOrNone(notes: string): string | undefined {
  return bounded(notes.trim(), "The note") || undefined;
}

function bounded(text: string, what: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new CheckpointError("usage", `${what} has ${text.length} characters; ${MAX_TEXT} are the most.`, {
    hint: "Say it in fewer words, and name the file that holds the rest.",
  });
}
