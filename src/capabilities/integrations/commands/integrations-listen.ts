import { once } from "node:events";
import { CheckpointError, EXIT_STATUS } from "../../../core/errors.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { Receiver } from "../integration.ts";
import { listen } from "../listen.ts";
import { openWorld } from "../open-world.ts";
import type { IntegrationCommand } from "../verbs.ts";

export const integrationsListen: IntegrationCommand<"integrations listen"> = async (
  context,
  options,
  output,
) => {
  const waiting = interruptibleWait(context);
  const { signal } = waiting;
  const wait = (ms: number) => waiting.wait(ms);
  const stores = new OpenStores({ reopens: true });
  const tell = (line: string) => output.message(`${context.now().toISOString()} ${line}`);
  try {
    const { world, all } = await openWorld({ ...context.project, stores }, { signal, wait, tell });
    const receivers = new Map<string, Receiver>();
    for (const integration of all) {
      const receiver = await integration.receiver?.(world);
      if (receiver !== undefined) receivers.set(integration.name, receiver);
    }
    if (receivers.size === 0)
      throw new CheckpointError("usage", "None of the configured integrations takes anything.", {
        hint: "github and slack do: docs/integrations.md",
      });
    const { port, close } = await listen(receivers, { port: options.port ?? 0, tell });
    const paths = [...receivers.keys()].map((name) => `/${name}`);
    output.result({ port, paths }, () => paths.map((path) => `http://127.0.0.1:${port}${path}`).join("\n"));
    output.message("Taking what comes in. Ctrl-C ends it.");
    try {
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await close();
    }
  } finally {
    await stores.close();
  }
  return EXIT_STATUS.interrupted;
};
