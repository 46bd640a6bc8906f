/** A command without the change of folder before it: from another folder it is the same command. */
export function withoutFolder(command: string): string {
  return command.replace(/^\s*cd \S+\s*(?:&&|;)\s*/, "").trim();
}
