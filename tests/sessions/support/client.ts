import { randomUUID } from "node:crypto";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepProjectOutOfGit } from "../../../src/work/machine/folders.ts";
import { openCairn, type Cairn } from "../../../src/work/state/cairn.ts";
import type { Checkpoint, CheckpointInfo } from "../../../src/core/trails/document.ts";
import type { WorkState } from "../../../src/work/state/work-state.ts";
import { lentStore } from "../../../src/work/project/events/lent-store.ts";
import { answerHook } from "../../../src/work/sessions/answer-hook.ts";
import type { HookAnswer, SessionContext } from "../../../src/work/sessions/context.ts";
import { type RecordedName, recordedPayload } from "./recorded.ts";

export const CLAUDE_SESSION = "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";
export const CODEX_SESSION = "0199e2c4-5b7d-7c11-9b9a-3f0a5a1c2d3e";
export const GEMINI_SESSION = "7d2f1c3e-1111-4c7f-8a53-000000000001";

/** An agent client in a project of its own: sends recorded events, as the command hook would get them. */
export class Client {
  readonly home: string;
  readonly folder: string;
  readonly said = new Set<string>();
  env: Record<string, string>;
  #seconds = 0;

  constructor() {
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-sessions-")));
    this.folder = join(this.home, "shop");
    mkdirSync(this.folder);
    this.env = { HOME: this.home };
  }

  /** A recorded payload, in this client's own folders. */
  payload(name: RecordedName, changes: Record<string, unknown> = {}): Record<string, unknown> {
    return recordedPayload(name, this, changes);
  }

  async send(name: RecordedName, changes: Record<string, unknown> = {}): Promise<HookAnswer> {
    return this.give(this.payload(name, changes));
  }

  /** Gives anything at all to the hook. */
  async give(payload: unknown, more: Partial<SessionContext> = {}): Promise<HookAnswer> {
    return answerHook(payload, { ...this.context(), ...more });
  }

  context(): SessionContext {
    return {
      env: this.env,
      cwd: this.folder,
      eventId: randomUUID(),
      now: () => new Date(Date.UTC(2026, 10, 15, 10, 0, this.#seconds++)),
      withStore: async (root, use) => {
        keepProjectOutOfGit(root);
        const cairn = await openCairn({ path: join(root, ".cairn") });
        try {
          return await use(lentStore(cairn));
        } finally {
          await cairn.close();
        }
      },
      isFirst: (key) => !this.said.has(key) && this.said.add(key) !== undefined,
    };
  }

  async look<Result>(use: (cairn: Cairn) => Promise<Result>, folder = this.folder): Promise<Result> {
    const cairn = await openCairn({ path: join(folder, ".cairn"), readOnly: true });
    try {
      return await use(cairn);
    } finally {
      await cairn.close();
    }
  }

  async load(trail = `session/${CLAUDE_SESSION}`): Promise<Checkpoint<WorkState>> {
    return this.look((cairn) => cairn.trail(trail).load());
  }

  async state(trail?: string): Promise<WorkState> {
    return (await this.load(trail)).state;
  }

  /** What somebody else does to a trail, by a command or a tool. */
  async change(edit: (state: WorkState) => void, trail = `session/${CLAUDE_SESSION}`): Promise<void> {
    const cairn = await openCairn({ path: join(this.folder, ".cairn") });
    try {
      await cairn.trail(trail).commit(edit, { trigger: "manual" });
    } finally {
      await cairn.close();
    }
  }

  async history(trail = `session/${CLAUDE_SESSION}`): Promise<CheckpointInfo[]> {
    return this.look((cairn) => cairn.trail(trail).history());
  }

  git(...args: readonly string[]): void {
    const env = { PATH: process.env["PATH"], HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" };
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const { status, stderr } = spawnSync("git", [...identity, ...args], {
      cwd: this.folder,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** What the model is given by an answer. */
export function contextOf({ stdout }: HookAnswer): string {
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  return hookSpecificOutput.additionalContext;
}
