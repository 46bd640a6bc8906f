/** How each client takes up a session again. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["claude", "--resume"],
  codex: ["codex", "resume"],
  "gemini-cli": ["gemini", "--resume"],
  opencode: ["opencode", "--session"],
};

export interface Resuming {
  readonly client: string;
  readonly id: string;
  /** Where the session worked, when that is not where the command would be typed. */
  readonly folder: string | undefined;
}

/** What to type to go on with a session in its own client; null for clients that cannot, or that are not known. */
export function resumeCommand({ client, id, folder }: Resuming): string | null {
  const words = Object.hasOwn(COMMANDS, client) ? COMMANDS[client] : undefined;
  // A stored id is data: nothing that could be an option, or that a shell or a terminal would obey, is printed as a command.
  if (words === undefined || !/^[A-Za-z0-9_][\w.:-]*$/.test(id)) return null;
  const command = [...words, id].join(" ");
  if (folder === undefined) return command;
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
