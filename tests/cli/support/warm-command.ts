import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CommandRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** For stdin, stdout and stderr. */
  readonly files: readonly string[];
}

export interface CommandReply {
  readonly status: number;
  /** The next command needs another process. */
  readonly isLast: boolean;
}

const PROGRAM = join(import.meta.dirname, "../programs/command-host.ts");
/** A command that never ends would take the whole test run with it. */
const LIMIT_MS = 120_000;

/** A process that runs one command after the other. It ends with the process that made it. */
export class CommandHost {
  readonly #folder = mkdtempSync(join(tmpdir(), "cairn-host-"));
  readonly #pid: number;
  readonly #requests: number;
  readonly #replies: number;
  #count = 0;

  /** `node` is what Node is started with. */
  constructor(node: readonly string[], launcher: string, env: Readonly<Record<string, string>>) {
    const pipes = ["requests", "replies"].map((name) => join(this.#folder, name)) as [string, string];
    spawnSync("mkfifo", pipes);
    this.#requests = openSync(pipes[0], constants.O_RDWR);
    this.#replies = openSync(pipes[1], constants.O_RDONLY | constants.O_NONBLOCK);
    const child = spawn(process.execPath, [...node, PROGRAM, launcher, ...pipes], {
      stdio: ["ignore", "ignore", "inherit"],
      env,
    });
    child.unref();
    this.#pid = child.pid as number;
    this.#nextLine({ isStarting: true });
  }

  run(request: Omit<CommandRequest, "files">, input: string) {
    const count = this.#count++;
    const files = ["in", "out", "err"].map((name) => join(this.#folder, `${count}-${name}`));
    const [stdin, stdout, stderr] = files as [string, string, string];
    writeFileSync(stdin, input);
    writeSync(this.#requests, `${JSON.stringify({ ...request, files })}\n`);
    const { status, isLast } = JSON.parse(this.#nextLine()) as CommandReply;
    const ran = { stdout: readFileSync(stdout, "utf8"), stderr: readFileSync(stderr, "utf8"), status };
    for (const file of files) rmSync(file);
    if (isLast) this.#close();
    return { ...ran, isLast };
  }

  /** Waits without giving way, as `spawnSync` does. */
  #nextLine({ isStarting = false } = {}): string {
    const chunk = Buffer.alloc(4096);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs++) {
      const count = this.#read(chunk);
      if (count > 0) return chunk.toString("utf8", 0, count);
      if (count === 0 && !isStarting) throw new Error("The process that runs commands has died.");
      Atomics.wait(pause, 0, 0, 1);
    }
    process.kill(this.#pid, "SIGKILL");
    throw new Error(`A command took longer than ${LIMIT_MS} ms.`);
  }

  /** 0 while nobody writes to the pipe, -1 while there is nothing in it. */
  #read(chunk: Buffer): number {
    try {
      return readSync(this.#replies, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return -1;
      throw error;
    }
  }

  #close(): void {
    closeSync(this.#requests);
    closeSync(this.#replies);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
