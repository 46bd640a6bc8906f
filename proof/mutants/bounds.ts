import { FAULTS, type Mutant } from "./mutant.ts";

const GIT = ["src/work/capture/git/git-workspace.test.ts"];

/** What text, files and repositories of others cannot do. */
export const BOUNDS_MUTANTS: readonly Mutant[] = [
  // Fence.
  {
    guard: "fence that nobody can guess",
    file: "src/work/handoff/frame/fence.ts",
    from: 'createHmac("sha256", key)',
    to: 'createHmac("sha256", "")',
    tests: ["src/work/handoff/frame/fence.test.ts", "src/work/handoff/handoff.test.ts"],
  },
  {
    guard: "control characters shown, not sent",
    file: "src/core/text/visible.ts",
    from: "return text.split(LINE_END).map(visibleLine).join",
    to: "return text.split(LINE_END).join",
    tests: ["src/core/text/visible.test.ts"],
  },
  // Redaction.
  {
    guard: "redaction before anything is hashed",
    file: "src/core/trails/trail-writer.ts",
    from: "if (redactor === undefined) return { state, options };",
    to: "if (options.notes !== undefined) return { state, options };",
    tests: ["src/core/trails/trail.test.ts"],
  },
  {
    guard: "redaction of texts",
    file: "src/core/redaction/redactor.ts",
    from: "const value = redactText(text, patterns, { random: true }, counts);",
    to: "const value = text;",
    tests: ["src/core/trails/trail.test.ts"],
  },
  {
    guard: "redaction of values",
    file: "src/core/redaction/redactor.ts",
    from: "return { value: redacted as T, findings };",
    to: "void redacted; return { value, findings };",
    tests: ["src/core/redaction/redactor.test.ts"],
  },
  // Owner, modes, names, links.
  {
    guard: "a store of another user is refused",
    file: "src/core/store/private-files.ts",
    from: "owner === me ? undefined : owner",
    to: "owner !== -1 ? undefined : owner",
    tests: [`${FAULTS}/links.test.ts`],
    only: "another user",
    isBuilt: true,
  },
  {
    guard: "links are refused",
    file: "src/core/store/private-files.ts",
    from: "if (found.isSymbolicLink()) throw symbolicLink(reached);",
    to: "",
    tests: ["src/core/store/private-files.test.ts"],
  },
  {
    guard: "hard links are refused",
    file: "src/core/store/private-files.ts",
    from: "found.nlink > 1",
    to: "found.nlink < 0",
    tests: ["src/core/store/private-files.test.ts"],
  },
  {
    guard: "folders for you alone",
    file: "src/core/store/private-files.ts",
    from: "mkdirSync(folder, { mode: 0o700 });",
    to: "mkdirSync(folder);",
    tests: [`${FAULTS}/modes.test.ts`],
  },
  {
    guard: "files for you alone",
    file: "src/core/store/private-files.ts",
    from: "chmodSync(path, 0o600);",
    to: "chmodSync(path, 0o644);",
    tests: [`${FAULTS}/modes.test.ts`],
  },
  {
    guard: "names that cannot leave the store",
    file: "src/core/trails/names.ts",
    from: "if (why === undefined) return name;",
    to: "if (why !== '') return name;",
    tests: ["src/core/trails/names.test.ts"],
  },
  {
    guard: "limit of depth",
    file: "src/core/objects/encode.ts",
    from: "if (depth >= MAX_DEPTH) throw tooDeep(this.#state, this.#path);",
    to: "",
    tests: ["src/core/objects/encode.test.ts"],
  },
  {
    guard: "__proto__ as a plain key",
    file: "src/core/objects/json.ts",
    from: 'if (key === "__proto__") {',
    to: 'if (key === "") {',
    tests: ["src/core/objects/encode.test.ts", "src/core/objects/hostile.test.ts"],
  },
  // Programs that a repository names.
  {
    guard: "no file system monitor of the repository",
    file: "src/work/capture/git/run-git.ts",
    from: '"core.fsmonitor=false"',
    to: '"core.quotePath=false"',
    tests: GIT,
    only: "planted config",
  },
  {
    guard: "no filter of the repository",
    file: "src/work/capture/git/foreign-programs.ts",
    from: 'if (scope !== "local" && scope !== "worktree") continue;',
    to: 'if (scope !== "") continue;',
    tests: GIT,
    only: "planted config",
  },
];
