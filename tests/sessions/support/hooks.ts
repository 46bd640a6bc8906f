import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientName } from "../../../src/sessions/context.ts";
import type { Ran, RunOptions, Sandbox } from "../../cli/support/sandbox.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

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
  payload(name: `${ClientName}/${string}`, changes: Record<string, unknown> = {}): string {
    const { folder, home } = this.#box;
    const text = readFileSync(join(FIXTURES, `${name}.json`), "utf8")
      .replaceAll("/home/ada/shop", folder)
      .replaceAll("/home/ada", home);
    return JSON.stringify({ ...(JSON.parse(text) as object), ...changes });
  }

  give(input: string, options: HookOptions = {}): Ran {
    return this.#box.run(["hook", ...(options.args ?? [])], { ...options, input });
  }

  send(
    name: `${ClientName}/${string}`,
    changes: Record<string, unknown> = {},
    env: Readonly<Record<string, string>> = {},
  ): Ran {
    return this.give(this.payload(name, changes), { env });
  }
}
