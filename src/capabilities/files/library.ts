/** The project's files at its moments, for programs. */
export { files } from "./verbs/files.ts";
export { filesDiff, type FilesDiff } from "./verbs/files-diff.ts";
export { filesLog } from "./verbs/files-log.ts";
export { filesShow } from "./verbs/files-show.ts";
export { rewind, type RewindResult } from "./verbs/rewind.ts";
