import { spawnSync } from "node:child_process";
import { until } from "./until.ts";
import type { Sandbox } from "./sandbox.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** A real terminal of 80 columns and 24 rows, with a shell in it: what people see, and what they type. */
export class Screen {
  readonly #socket: string;
  readonly #box: Sandbox;

  constructor(box: Sandbox) {
    this.#box = box;
    this.#socket = `cairn-test-${process.pid}-${Date.now()}`;
    const shell = ["env", "-i", ...this.#environment(), "sh"];
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-s", "s", ...shell);
  }

  #environment(): string[] {
    // A clock that goes: people look at times here.
    const { CAIRN_TEST_NOW: _, ...env } = this.#box.environment();
    return [
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      "TERM=screen",
      "PS1=> ",
      "LANG=C.UTF-8",
    ];
  }

  /** Types a command of the program, and Enter. */
  run(command: string): void {
    this.type(
      `clear; cd ${this.#box.folder}; ${this.#box.realCommandLine()} ${command}; echo "[exit $?]"`,
      "Enter",
    );
  }

  /** Types text or keys, by the names that tmux has for them. */
  type(...keys: readonly string[]): void {
    for (const key of keys) this.#tmux("send-keys", "-t", "s", key);
  }

  /** What can be seen now, without empty lines at the end. */
  text(): string {
    return this.#tmux("capture-pane", "-t", "s", "-p").trimEnd();
  }

  isCursorShown(): boolean {
    return this.#tmux("display-message", "-t", "s", "-p", "#{cursor_flag}").trim() === "1";
  }

  /** Waits until something can be seen, and returns all that can. */
  async see(what: string | RegExp): Promise<string> {
    const isThere = () => {
      const text = this.text();
      return typeof what === "string" ? text.includes(what) : what.test(text);
    };
    try {
      await until(`"${what}" can be seen`, isThere);
    } catch (error) {
      throw new Error(`${(error as Error).message}. This was seen:\n${this.text()}`, { cause: error });
    }
    return this.text();
  }

  close(): void {
    this.#tmux("kill-server");
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync("tmux", ["-L", this.#socket, ...args], { encoding: "utf8" }).stdout;
  }
}
