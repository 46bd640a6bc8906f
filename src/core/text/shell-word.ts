/** A word as a shell reads it literally, quoted if need be: for commands that people copy and files that shells source. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+~-]+$/.test(text) && !text.startsWith("-") && !text.startsWith("~")
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether a text has nothing that a terminal would obey or hide. */
export function isPrintable(text: string): boolean {
  return /^\P{C}*$/u.test(text);
}
