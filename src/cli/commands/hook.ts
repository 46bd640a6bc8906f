import { statSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { STORE_FILE } from "../../checkpoints/cairn.ts";
import type { RedactorOptions } from "../../redaction/redactor.ts";
import { visible } from "../../text/visible.ts";
import { answerHook } from "../../sessions/answer-hook.ts";
import { MAX_PAYLOAD_BYTES } from "../../sessions/events/read-payload.ts";
import { PROJECT_FILE, readSettings, userConfigFile } from "../../project/settings/settings.ts";
import type { Context } from "../context.ts";
import { isFirstTime } from "../first-time.ts";
import { findProject, openOrCreate } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { AGENTS } from "../table/agents.ts";

/** Save what an agent client's hook tells, and answer it. Whatever happens, the agent goes on: the status is always 0. */
export async function hook(
  context: Context,
  options: OptionsOf<typeof AGENTS.hook>,
  output: Output,
): Promise<number> {
  const { env, cwd, now } = context;
  const payload = await context.readEvent(MAX_PAYLOAD_BYTES);
  const { stdout, warning } = await answerHook(payload, {
    env,
    cwd,
    now,
    parentPid: context.parentPid,
    client: options.client,
    event: options.event,
    withStore: async (root, use) => {
      const cairn = await openOrCreate(context, findProject({ cwd: root }));
      try {
        return await use(cairn);
      } finally {
        if (hasLongLog(root)) await cairn.close();
      }
    },
    secrets: (root) => ownSecrets(context, root),
    isFirst: (key) => isFirstTime(context, key),
  });
  if (stdout !== "") output.raw(`${stdout}\n`);
  if (warning !== undefined) output.error({ message: warning }, `checkpoint hook: ${visible(warning)}`);
  return 0;
}

const LONG_LOG_BYTES = 256 * 1024;

/**
 * Closing a store moves its log into the main file, which takes longer than a commit, and the next event would have to
 * begin another one. What was saved is as safe in the log, so that is done now and then: the process ends either way.
 */
function hasLongLog(root: string): boolean {
  const log = join(root, ".cairn", `${STORE_FILE}-wal`);
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LONG_LOG_BYTES;
}

/** Larger ones are none that anybody wrote; reading settings says so. */
const LARGEST_CONFIG_BYTES = 1024 * 1024;

const SPEAKS_OF_REDACTION = /^[^#\n]*\bredact/m;

function contentOf(file: string): string {
  return readBounded(file, LARGEST_CONFIG_BYTES).bytes?.toString("utf8") ?? "";
}

/** Only a config that speaks of redaction is parsed: there is an event every few seconds, and parsing YAML takes long. */
async function ownSecrets(context: Context, root: string): Promise<RedactorOptions | undefined> {
  const files = [join(root, PROJECT_FILE), userConfigFile(context)];
  const isNamed = files.some((file) => file !== undefined && SPEAKS_OF_REDACTION.test(contentOf(file)));
  if (!isNamed) return undefined;
  const { redact, redact_allow } = await readSettings(context, root);
  return { extraPatterns: redact, allow: redact_allow };
}
