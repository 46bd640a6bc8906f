import { visible } from "../../text/visible.ts";
import { sessionEvent } from "../../project/events/session-event.ts";
import { MAX_PAYLOAD_BYTES } from "../../sessions/events/read-payload.ts";
import type { CommandOf } from "../command.ts";

/** The status is always 0, so that the agent goes on. */
export const hook: CommandOf<"hook"> = async (context, options, output) => {
  const { env, cwd, parentPid } = context;
  const { client } = options;
  const { id: eventId, bytes } = await context.readEvent(MAX_PAYLOAD_BYTES);
  const world = { ...context, notices: { message: () => {}, warning: () => {} } };
  const { stdout, warning } = await sessionEvent(world, bytes, { env, cwd, eventId, parentPid, client });
  if (stdout !== "") output.raw(`${stdout}\n`);
  if (warning !== undefined) output.error({ message: warning }, `checkpoint hook: ${visible(warning)}`);
  return 0;
};
