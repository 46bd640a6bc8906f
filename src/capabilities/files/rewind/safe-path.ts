/** Characters that some file systems leave out of names, so that `.g\u200cit` is `.git` there. */
const IGNORED = /[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Names that are `.git` on some file system, or that hold what is ours. */
const OWN = /^(?:\.git|git~\d+|\.cairn)$/;

/**
 * Whether a path that was stored may be written to: below the project, and neither in a repository's own folder nor in ours,
 * however a file system may read it.
 */
export function isSafePath(path: string): boolean {
  if (path === "" || path.includes("\0") || /^(?:[/\\]|[A-Za-z]:)/.test(path)) return false;
  return path.split("/").every(isSafeName);
}

function isSafeName(name: string): boolean {
  if (name === "" || name === "." || name === "..") return false;
  const read = name.replaceAll(IGNORED, "").toLowerCase();
  // Windows drops dots and spaces at the end, and reads what is behind a colon as a stream of the file.
  return !OWN.test(read.replace(/:.*$/, "").replace(/[. ]+$/, "")) && !/^\.*\\|\\\.\.?(?:\\|$)/.test(read);
}
