import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "../../..");
const CLOCK = new URL("../../cli/support/frozen-clock.js", import.meta.url).href;

interface SessionReport {
  readonly id: string;
  readonly client: string;
  readonly status: string;
  readonly goal: string;
  readonly resume: string;
  readonly files_touched: readonly string[];
}

interface Ended {
  readonly output: string;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What is special about a client. */
export interface ClientProfile {
  /** The words that start work on a prompt, or on whatever else is typed. */
  readonly args: (words: readonly string[], options: StartOptions) => readonly string[];
  /** Its variables: where its settings are, and where its model is. */
  readonly env: (home: string) => Readonly<Record<string, string>>;
  /** Called once with a fresh home. */
  readonly prepare?: (home: string) => unknown;
}

export interface StartOptions {
  readonly trustsHooks?: boolean;
  readonly settings?: readonly string[];
  /** Whether prompts are typed while it runs. */
  readonly isTyped?: boolean;
}

/** A real client, with a home, settings and a project of its own, and our command on its $PATH. */
export class RealClient {
  readonly home: string;
  readonly project: string;
  readonly #program: string;
  readonly #profile: ClientProfile;
  readonly #beside: RealClient | undefined;

  /** `beside` another one it works in the same project, for the same person. */
  constructor(program: string, profile: ClientProfile, beside?: RealClient) {
    this.#program = program;
    this.#profile = profile;
    this.#beside = beside;
    if (beside !== undefined) {
      [this.home, this.project] = [beside.home, beside.project];
      profile.prepare?.(this.home);
      return;
    }
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-e2e-")));
    this.project = join(this.home, "project");
    for (const folder of ["project", "bin"]) mkdirSync(join(this.home, folder));
    const launcher = join(REPOSITORY, "bin/checkpoint.js");
    const command = join(this.home, "bin/checkpoint");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
    chmodSync(command, 0o755);
    profile.prepare?.(this.home);
    spawnSync("git", ["init", "-q"], { cwd: this.project, env: this.environment() });
  }

  /** A command of the client that ends by itself, such as `plugin add`. */
  run(...args: readonly string[]): string {
    const { stdout, stderr, status } = spawnSync(this.#program, args, {
      cwd: this.project,
      env: this.environment(),
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts work on a prompt. */
  start(words: readonly string[], options: StartOptions = {}) {
    const child = spawn(this.#program, this.#profile.args(words, options), {
      cwd: this.project,
      env: this.environment(),
      // A group of its own, so that it can be killed with everything that it started, as a closed terminal does.
      detached: true,
      stdio: [options.isTyped === true ? "pipe" : "ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, "close").then(([status, signal]): Ended => ({
      output,
      status: status as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
    const kill = () => process.kill(-(child.pid as number), "SIGKILL");
    const type = (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`);
    return { ended, kill, type, leave: () => child.stdin?.end(), output: () => output };
  }

  /** The sessions of the project, as `checkpoint sessions` lists them. */
  sessions(options = {}): readonly SessionReport[] {
    return this.checkpoint(["sessions"], options)["sessions"] as readonly SessionReport[];
  }

  /** Our own command, as a person types it beside the client; later by so many minutes. */
  checkpoint(args: readonly string[], { minutesLater = 0 } = {}): Record<string, unknown> {
    const now = new Date(Date.now() + minutesLater * 60_000).toISOString();
    const launcher = join(REPOSITORY, "bin/checkpoint.js");
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", CLOCK, launcher, ...args, "--json"], {
      cwd: this.project,
      env: { ...this.environment(), CAIRN_TEST_NOW: now },
      encoding: "utf8",
    });
    if (stdout === "") throw new Error(`checkpoint ${args.join(" ")}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  environment(): Record<string, string> {
    // Whatever the client wants from elsewhere it does not get: there is nobody at this address.
    const nobody = "http://127.0.0.1:9";
    return {
      PATH: [join(this.home, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
      HOME: this.home,
      // A person's variables are the same for all.
      ...this.#beside?.environment(),
      ...this.#profile.env(this.home),
      HTTP_PROXY: nobody,
      HTTPS_PROXY: nobody,
      NO_PROXY: "127.0.0.1",
    };
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}
