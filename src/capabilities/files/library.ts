/** The project's files at its moments, for programs. */
export { files } from "./verbs/files.ts";
export { filesDiff, type FilesDiff } from "./verbs/files-diff.ts";
export { rewind, type RewindResult } from "./verbs/rewind.ts";
export { filesLog, filesShow } from "./verbs/versions.ts";
