import { spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CommandHost } from "./warm-command.ts";

const LAUNCHER =
  process.env["CAIRN_TEST_LAUNCHER"] ?? join(import.meta.dirname, "../../../bin/checkpoint.js");
const CLOCK = ["--import", new URL("./frozen-clock.js", import.meta.url).href];
/** Shared by all tests in this process. */
let host: CommandHost | undefined;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Another installation of the program, for a process of its own. */
  readonly launcher?: string;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs the program with nothing but this environment, and with the real clock unless that holds another. */
export function runCommand(
  args: readonly string[],
  {
    cwd,
    env,
    input = "",
  }: { cwd: string; env: Readonly<Record<string, string>>; input?: string | undefined },
): Ran {
  host ??= new CommandHost(CLOCK, LAUNCHER, env);
  const { isLast, ...ran } = host.run({ args, cwd, env }, input);
  if (isLast) host = undefined;
  return ran;
}

/** A project in a folder of its own, the built program, and a clock that moves one minute with each command. */
export class Sandbox {
  readonly home: string;
  readonly folder: string;
  #minutes = 0;

  constructor(parent: string = tmpdir()) {
    this.home = realpathSync(mkdtempSync(join(parent, "cairn-cli-")));
    this.folder = join(this.home, "project");
    mkdirSync(this.folder);
  }

  /** Puts the clock to so many minutes past twelve. */
  setMinutes(minutes: number): void {
    this.#minutes = minutes;
  }

  /**
   * Runs the program, in a process that has run it before: starting Node would be most of the work. A test about the
   * process itself starts it with `runAlone` or `start`.
   */
  run(args: readonly string[], options: RunOptions = {}): Ran {
    const { cwd = this.folder, input } = options;
    return runCommand(args, { cwd, env: this.environment(options.env), input });
  }

  /** The same in a process of its own. */
  runAlone(args: readonly string[], options: RunOptions = {}): Ran {
    const { stdout, stderr, status } = spawnSync(process.execPath, this.#argv(args, options), {
      cwd: options.cwd ?? this.folder,
      env: this.environment(options.env),
      input: options.input ?? "",
      encoding: "utf8",
      // A program that never ends would take the whole test run with it.
      timeout: 120_000,
      killSignal: "SIGKILL",
    });
    return { stdout, stderr, status };
  }

  /** Starts the program and goes on while it runs. */
  start(args: readonly string[], options: RunOptions = {}) {
    const child = spawn(process.execPath, this.#argv(args, options), {
      cwd: options.cwd ?? this.folder,
      env: this.environment(options.env),
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    let stdout = "";
    let stderr = "";
    const heard = new EventEmitter();
    child.stdout.on("data", (chunk) => heard.emit("more", (stdout += String(chunk))));
    child.stderr.on("data", (chunk) => heard.emit("more", (stderr += String(chunk))));
    const ended = once(child, "close").then(([status]): Ran => ({
      stdout,
      stderr,
      status: status as number | null,
    }));
    /** Resolves once it has printed this; rejects if it ends before. */
    const printed = async (what: RegExp): Promise<void> => {
      const tooEarly = ended.then(() => {
        throw new Error(`It ended before it printed ${String(what)}: ${stdout}${stderr}`);
      });
      while (!what.test(stdout) && !what.test(stderr)) await Promise.race([once(heard, "more"), tooEarly]);
    };
    return { child, ended, printed, output: () => stdout, messages: () => stderr };
  }

  /** What a person would see: stdout, then stderr marked with `!`, then the status unless it is 0. */
  see(...args: readonly string[]): string {
    return this.asSeen(this.run(args));
  }

  asSeen({ stdout, stderr, status }: Ran): string {
    const messages =
      stderr.trimEnd() === ""
        ? []
        : stderr
            .trimEnd()
            .split("\n")
            .map((line) => `! ${line}`);
    const lines = [...(stdout.trimEnd() === "" ? [] : [stdout.trimEnd()]), ...messages];
    if (status !== 0) lines.push(`[exit ${status}]`);
    return this.stable(lines.join("\n"));
  }

  /** Without what differs from machine to machine. */
  stable(text: string): string {
    return text.replaceAll(this.folder, "PROJECT").replaceAll(this.home, "HOME");
  }

  json(...args: readonly string[]): Record<string, unknown> {
    const { stdout, stderr, status } = this.run([...args, "--json"]);
    if (stdout === "") throw new Error(`No JSON from ${args.join(" ")} (status ${status}): ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Writes a file of the project. */
  write(name: string, text: string): void {
    this.writeHome(join("project", name), text);
  }

  /** Writes a file in the person's home folder. */
  writeHome(name: string, text: string, mode?: number): void {
    const path = join(this.home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (mode !== undefined) chmodSync(path, mode);
  }

  /** All files of the person, by name: what is there, byte for byte. The store and caches are not theirs. */
  everything(): Record<string, string> {
    const names = readdirSync(this.home, { recursive: true, encoding: "utf8" });
    return Object.fromEntries(
      names
        .filter((name) => !/^project[\\/]\.cairn|^\.(cache|local)/.test(name))
        .filter((name) => statSync(join(this.home, name)).isFile())
        .map((name) => [name, readFileSync(join(this.home, name), "utf8")]),
    );
  }

  /** Runs git with a fixed author and clock, so that its commits have the same names everywhere. */
  git(...args: readonly string[]): string {
    const when = "2026-01-23T12:00:00Z";
    const { stdout, stderr, status } = spawnSync("git", args, {
      cwd: this.folder,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: this.home,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@example.com",
        GIT_AUTHOR_DATE: when,
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@example.com",
        GIT_COMMITTER_DATE: when,
      },
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const now = new Date(Date.UTC(2026, 0, 23, 12, this.#minutes++)).toISOString();
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      // Shared by all tests, as a user's is by all projects.
      XDG_CACHE_HOME: join(tmpdir(), "cairn-test-cache"),
      CAIRN_TEST_NOW: now,
      // Nobody: what runs these tests is not what the program is to be judged by.
      CAIRN_TEST_PARENT: "1",
      ...more,
    };
  }

  /** What a shell must be told to run the program. */
  commandLine(): string {
    return [process.execPath, ...this.#argv([])].map((word) => `'${word}'`).join(" ");
  }

  /** The program and its arguments, for those who start it themselves. */
  argv(args: readonly string[]): string[] {
    return [process.execPath, ...this.#argv(args)];
  }

  /** The same, with the real clock. */
  realCommandLine(): string {
    return [process.execPath, LAUNCHER].map((word) => `'${word}'`).join(" ");
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #argv(args: readonly string[], { launcher = LAUNCHER }: RunOptions = {}): string[] {
    return [...CLOCK, launcher, ...args];
  }
}
