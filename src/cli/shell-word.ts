/** A word for a command line that somebody may copy: it must not mean anything else to a shell. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+~-]+$/.test(text) && !text.startsWith("-") && !text.startsWith("~")
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
