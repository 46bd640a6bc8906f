import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { withoutRelativePath } from "../../../work/machine/environment.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import type { CommandOf } from "../command.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { resumeRun } from "../ui/resume-run.ts";

export const ui: CommandOf<"ui"> = async (context, options, output) => {
  if ((options.port ?? 0) > 65_535) throw new CheckpointError("usage", "A port is at most 65535.");
  const { servePage } = await import("../../page/serve-page.ts");
  const stores = new OpenStores({ reopens: true });
  const project = { ...context.project, stores };
  const { signal } = interruptibleWait(context);
  const page = await servePage(project, {
    port: options.port,
    isReadOnly: options.readOnly,
    pageFolder: join(import.meta.dirname, "../page"),
    resume: (run, redo) => resumeRun(context, run, redo),
  });
  const { url, port } = page;
  output.result({ url, port, read_only: options.readOnly }, () => url);
  output.message("Open it in a browser on this machine. Ctrl-C ends it.");
  const cannotOpen = () => output.message("No browser could be started. Open the address above.");
  const env = withoutRelativePath(context.env);
  const removePage = options.open ? openInBrowser(url, env, cannotOpen) : () => {};
  try {
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    removePage();
    await page.close();
    await stores.close();
  }
};

const OPEN_MS = 30_000;

/** By a page that only this user can read: an address on a command line stands in the list of processes. */
function openInBrowser(url: string, env: Record<string, string>, cannotOpen: () => void): () => void {
  const folder = mkdtempSync(join(tmpdir(), "cairn-ui-"));
  const file = join(folder, "open.html");
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`, { mode: 0o600 });
  const { platform } = process;
  const opener = platform === "darwin" ? "open" : platform === "win32" ? "explorer" : "xdg-open";
  const child = spawn(opener, [file], { env, stdio: "ignore", detached: true });
  child.on("error", cannotOpen);
  child.unref();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A browser has read it by then, and the key must not outlive a terminal that is closed.
  setTimeout(remove, OPEN_MS).unref();
  return remove;
}
