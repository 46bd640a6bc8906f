import { resumeCommand as commandOf } from "../../sessions/clients/command-to-resume.ts";

/** What to type to go on with a session in its own client; null for clients that cannot, or that are not known. */
export function resumeCommand(session: unknown, folder: string | undefined): string | null {
  const command = commandOf({ session });
  if (command === undefined || folder === undefined) return command ?? null;
  return isPrintable(folder) ? `cd ${quoted(folder)} && ${command}` : null;
}

/** Whether a text holds nothing that a terminal would obey or hide. */
export function isPrintable(text: string): boolean {
  return /^\P{C}*$/u.test(text);
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return /^[\w/.+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
