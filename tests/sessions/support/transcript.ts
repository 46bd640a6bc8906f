import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLAUDE_SESSION, type Client } from "./client.ts";

/** Writes a transcript as Claude Code does, where Claude Code keeps it. */
export class Transcript {
  readonly path: string;
  #number = 0;

  constructor(client: Client) {
    const folder = client.folder.replaceAll(/[^A-Za-z0-9]/g, "-");
    this.path = join(client.home, ".claude", "projects", folder, `${CLAUDE_SESSION}.jsonl`);
    mkdirSync(dirname(this.path), { recursive: true });
  }

  /** A line of any kind. */
  line(fields: object): void {
    const timestamp = new Date(Date.UTC(2026, 10, 15, 10, 0, this.#number++)).toISOString();
    appendFileSync(this.path, `${JSON.stringify({ isSidechain: false, timestamp, ...fields })}\n`);
  }

  asked(content: string): void {
    this.line({ type: "user", message: { role: "user", content } });
  }

  said(text: string): void {
    this.line({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
  }

  /** A call of a tool and its result. */
  called(name: string, input: object, result: string | object, error?: string): void {
    const id = `toolu_${this.#number}`;
    const content = [{ type: "tool_use", id, name, input }];
    this.line({ type: "assistant", message: { role: "assistant", content } });
    const text = error ?? (typeof result === "string" ? result : "");
    const part = { type: "tool_result", tool_use_id: id, content: text, is_error: error !== undefined };
    this.line({
      type: "user",
      message: { role: "user", content: [part] },
      toolUseResult: error === undefined ? result : text,
    });
  }

  ran(command: string, stdout: string, error?: string): void {
    this.called("Bash", { command }, { stdout, stderr: "", interrupted: false }, error);
  }
}
