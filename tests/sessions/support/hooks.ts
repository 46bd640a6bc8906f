import type { Ran, RunOptions, Sandbox } from "../../cli/support/sandbox.ts";
import { type RecordedName, recordedPayload } from "./recorded.ts";

export interface HookOptions extends RunOptions {
  readonly args?: readonly string[];
}

/** The hooks of a client in a sandbox, as the built program gets them. */
export class Hooks {
  readonly #box: Sandbox;

  constructor(box: Sandbox) {
    this.#box = box;
  }

  /** A recorded payload, in the sandbox's own folders. */
  payload(name: RecordedName, changes: Record<string, unknown> = {}): string {
    return JSON.stringify(recordedPayload(name, this.#box, changes));
  }

  give(input: string, options: HookOptions = {}): Ran {
    return this.#box.run(["hook", ...(options.args ?? [])], {
      ...options,
      // A hook knows its client by what started it.
      env: { CAIRN_TEST_PARENT: "", ...options.env },
      input,
    });
  }

  send(
    name: RecordedName,
    changes: Record<string, unknown> = {},
    env: Readonly<Record<string, string>> = {},
  ): Ran {
    return this.give(this.payload(name, changes), { env });
  }
}
