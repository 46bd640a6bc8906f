import { health as probe } from "../project-gate/health.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { GovernanceCommand } from "../verbs.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";

const AGAIN_MS = 5_000;

export const health: GovernanceCommand<"health"> = async (context, { watch }, output) => {
  const pause = watch ? interruptibleWait(context) : undefined;
  for (;;) {
    const { dependencies } = await probe(context.project);
    const isHealthy = dependencies.every(({ status }) => status === "available" || status === "unknown");
    const rows = dependencies.map(({ name, status, breaker, latency_ms, reason }) => [
      oneLine(name),
      status,
      `breaker ${breaker}`,
      latency_ms === null ? oneLine(reason ?? "") : `${latency_ms} ms`,
    ]);
    const none = "No dependencies are declared in cairn.yaml.";
    output.list({ healthy: isHealthy, dependencies }, rows, none);
    if (!isHealthy) output.message("Work is still saved here; only what needs these must wait.");
    if (pause === undefined) return isHealthy ? 0 : 1;
    await pause.wait(AGAIN_MS);
    if (pause.isOver()) return 0;
  }
};
