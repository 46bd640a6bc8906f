import { readFileSync } from "node:fs";
import { join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "../..");
export const PLUGIN = join(REPOSITORY, "plugin");

export const read = (name: string): string => readFileSync(join(PLUGIN, name), "utf8");
export const readJson = (name: string): unknown => JSON.parse(read(name));

interface HookFile {
  readonly description: string;
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;
}

interface Hook {
  readonly type: "command" | "mcp_tool";
  readonly command?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** Each hook of a file, with its event. */
export function hooksIn(name: string): { event: string; hook: Hook }[] {
  return Object.entries((readJson(name) as HookFile).hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map((hook) => ({ event, hook }))),
  );
}
