/** A word for a command line that somebody may copy: it must not mean anything else to a shell. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+~-]+$/.test(text) && !text.startsWith("-") && !text.startsWith("~")
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether a text holds nothing that a terminal would obey or hide. */
export function isPrintable(text: string): boolean {
  return /^\P{C}*$/u.test(text);
}
