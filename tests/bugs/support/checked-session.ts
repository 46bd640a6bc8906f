import { openProject } from "../../../src/doors/library/project.ts";
import type { Project } from "../../../src/work/project/project.ts";
import { Client } from "../../sessions/support/client.ts";
import { Transcript } from "../../sessions/support/transcript.ts";

export const FAILED = "--- FAIL: TestLogin (0.01s)\n    login_test.go:42: got 401, want 200\nFAIL\n";

/** A session in a project of its own, whose agent edits files and runs checks. */
export class CheckedSession {
  readonly client = new Client();
  readonly transcript = new Transcript(this.client);

  constructor() {
    this.transcript.asked("Make the login work");
  }

  edited(path: string): void {
    const input = { file_path: `${this.client.folder}/${path}`, old_string: "one", new_string: "two" };
    this.transcript.called("Edit", input, {});
  }

  /** The turn ends: what happened is saved. */
  async stop(): Promise<void> {
    const { path } = this.transcript;
    await this.client.send("claude/stop", { transcript_path: path, last_assistant_message: undefined });
  }

  async inProject<Result>(use: (project: Project) => Promise<Result>): Promise<Result> {
    const project = openProject({ path: this.client.folder, env: { HOME: this.client.home } });
    try {
      return await use(project);
    } finally {
      await project.stores.close();
    }
  }
}
