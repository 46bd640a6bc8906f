import { CAPABILITIES } from "../../../capabilities/list.ts";
import { visible } from "../../../core/text/visible.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import type { CommandOf } from "../command.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { version } from "../version.ts";

export const mcp: CommandOf<"mcp"> = async (context, options, output) => {
  if (context.isInteractive)
    output.message("This is an MCP server: it waits for an agent client on stdin. Ctrl-C ends it.");
  const { signal: stop } = interruptibleWait(context);
  const { serveMcp } = await import("../../mcp/serve.ts");
  const { cwd, env, now, machine } = context;
  // At once, and never to stdout, whatever form was asked for.
  const log = (line: string) => output.error({ message: line }, `checkpoint mcp: ${visible(line)}`);
  await serveMcp(
    {
      version,
      env,
      cwd,
      now,
      machine,
      stores: new OpenStores({ reopens: true }),
      capabilities: CAPABILITIES,
      notices: { message: () => {}, warning: log },
      chosenFolder: options.dir === undefined ? undefined : cwd,
      log,
    },
    { ...context.streams(), stop },
  );
};
