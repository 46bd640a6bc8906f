import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const PROGRAM = join(import.meta.dirname, "../../bin/checkpoint.js");

interface HookAnswer {
  readonly hookSpecificOutput?: { readonly additionalContext?: string };
}

/** Sends an event of an agent's client to `checkpoint hook`, as its hooks do. Resolves to what the model is told, if anything. */
export async function sendEvent(
  event: Readonly<Record<string, unknown>>,
  cwd = process.cwd(),
): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, "hook"], { cwd, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(JSON.stringify(event));
  let printed = "";
  child.stdout.on("data", (data) => (printed += String(data)));
  await once(child, "close");
  if (printed.trim() === "") return "";
  return (JSON.parse(printed) as HookAnswer).hookSpecificOutput?.additionalContext ?? "";
}
