import { setTimeout } from "node:timers/promises";
import { EXIT_STATUS } from "../../../core/errors.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { openWorld } from "../open-world.ts";
import { outletsOf, runOutlets } from "../run.ts";
import type { IntegrationCommand } from "../verbs.ts";

export const integrationsRun: IntegrationCommand<"integrations run"> = async (context, _options, output) => {
  const { signal: interrupted } = interruptibleWait(context);
  // Also once every outlet has stopped: nothing needs to come in then.
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted, over.signal]);
  const wait = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => undefined);
  // It may outlive the store, which may be restored meanwhile.
  const stores = new OpenStores({ reopens: true });
  const tell = (line: string) => output.message(`${context.now().toISOString()} ${line}`);
  try {
    const { world, all } = await openWorld({ ...context.project, stores }, { signal, wait, tell });
    const outlets = await outletsOf(world, all);
    const pollers: (() => Promise<void>)[] = [];
    for (const integration of all) {
      const poll = await integration.poller?.(world);
      if (poll !== undefined) pollers.push(poll);
    }
    const names = outlets.map(({ name }) => name);
    output.message(`Telling ${names.join(", ")} what happens. Ctrl-C ends it.`);
    const telling = runOutlets(world, outlets).finally(() => over.abort());
    const [stopped] = await Promise.all([telling, ...pollers.map((poll) => poll())]);
    output.result({ outlets: names, stopped }, "");
    return interrupted.aborted ? EXIT_STATUS.interrupted : EXIT_STATUS.failed;
  } finally {
    await stores.close();
  }
};
