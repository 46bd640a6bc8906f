import { CAPABILITIES } from "../../../capabilities/list.ts";
import { visible } from "../../../core/text/visible.ts";
import { sessionEvent, toolCall } from "../../../work/project/events/session-event.ts";
import type { EventWorld } from "../../../work/project/gate.ts";
import { MAX_PAYLOAD_BYTES } from "../../../work/sessions/events/read-payload.ts";
import type { CommandOf } from "../command.ts";
import type { Context } from "../../../work/terminal/context.ts";

/** How long a call may take to come in: the gate has to answer before its client stops waiting. */
const CALL_MS = 800;

/**
 * The status is always 0, so that the agent goes on. Not so for the gate: where it cannot answer, the command that started
 * this denies the call.
 */
export const hook: CommandOf<"hook"> = async (context, options, output) => {
  if (options.gate) return gateHook(context, options, output);
  const { env, cwd, parentPid } = context;
  const { client } = options;
  const { id: eventId, bytes } = await context.readEvent(MAX_PAYLOAD_BYTES);
  const world = worldOf(context);
  const { stdout, warning, after } = await sessionEvent(world, bytes, {
    env,
    cwd,
    eventId,
    parentPid,
    client,
  });
  if (stdout !== "") output.raw(`${stdout}\n`);
  if (warning !== undefined) output.error({ message: warning }, `checkpoint hook: ${visible(warning)}`);
  await after?.();
  return 0;
};

const gateHook: CommandOf<"hook"> = async (context, { client }, output) => {
  const { env, cwd } = context;
  const { bytes } = await context.readEvent(MAX_PAYLOAD_BYTES, CALL_MS);
  const world = worldOf(context);
  output.raw(`${(await toolCall(world, bytes, { env, cwd, client })) ?? "{}"}\n`);
  return 0;
};

/** Not the context itself, which finds the project and who acts as it is copied: that may be refused. */
function worldOf({ env, now, stores, machine }: Context): EventWorld {
  return {
    env,
    now,
    stores,
    machine,
    capabilities: CAPABILITIES,
    notices: { message: () => {}, warning: () => {} },
  };
}
