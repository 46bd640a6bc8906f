const FILE_LINE = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (?<path>.+)$/gm;

/** The files that a patch in the form of `apply_patch` names. */
export function pathsOfPatch(patch: string): string[] {
  return Array.from(patch.matchAll(FILE_LINE), ({ groups }) => (groups?.["path"] ?? "").trim());
}
