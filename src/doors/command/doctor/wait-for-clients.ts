import { clientsSeenSince } from "../../../work/sessions/logs/hook-log.ts";
import { CLIENT_NAMES } from "../../../work/clients/clients.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { type DoctorFinding, ok, warning } from "../../../work/project/finding.ts";

const LONGEST_MS = 10 * 60_000;
const LOOK_MS = 250;

/** Waits for a first event from each client that is set up, so that a person knows that it works. Ctrl-C ends the wait. */
export async function waitForClients(
  context: Context,
  findings: readonly DoctorFinding[],
  output: Output,
): Promise<DoctorFinding[]> {
  const { project } = context;
  const clients = CLIENT_NAMES.filter((client) =>
    findings.some(({ name, level }) => name === client && level !== "note"),
  );
  const since = project.now();
  const pause = interruptibleWait(context);
  if (clients.length > 0)
    output.message(
      `Waiting for an event from ${clients.join(", ")}: start each in ${project.root}, and say hello.`,
    );
  const seen = new Set<string>();
  const started = performance.now();
  while (seen.size < clients.length && !pause.isOver() && performance.now() - started < LONGEST_MS) {
    for (const client of clients) {
      if (seen.has(client) || !clientsSeenSince(project.root, since).has(client)) continue;
      seen.add(client);
      output.message(`${client}: an event came.`);
    }
    await pause.wait(LOOK_MS);
  }
  return clients.map((client) =>
    seen.has(client)
      ? ok(client, "sent an event while we waited")
      : warning(
          client,
          "sent no event while we waited.",
          "Look at its hooks, then run again: checkpoint doctor --wait",
        ),
  );
}
