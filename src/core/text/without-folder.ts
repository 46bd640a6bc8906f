const CHANGE = /^\s*cd (?<folder>\S+)\s*(?:&&|;)\s*/;

/** A command without the change of folder before it: from another folder it is the same command. */
export function withoutFolder(command: string): string {
  return command.replace(CHANGE, "").trim();
}

/** The folder that a command changes into first. */
export function folderOf(command: string): string | undefined {
  return CHANGE.exec(command)?.groups?.["folder"];
}
