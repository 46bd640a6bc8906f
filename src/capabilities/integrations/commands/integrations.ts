import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import { table } from "../../../work/terminal/columns.ts";
import * as verbs from "../integrations.ts";
import type { IntegrationCommand } from "../verbs.ts";

export const integrationsTest: IntegrationCommand<"integrations test"> = async (
  { project },
  _options,
  output,
) => {
  const found = await verbs.integrationsTest(project);
  const { style } = output;
  output.result(found, () =>
    table(
      found.checks.map(({ name, ok, found: text, hint }) => [
        ok ? style.green("works") : style.red("fails"),
        name,
        oneLine([text, hint ?? ""].join(" ").trim()),
      ]),
      output.columns,
    ),
  );
  return found.checks.every(({ ok }) => ok) ? 0 : 1;
};

export const integrationsDead: IntegrationCommand<"integrations dead"> = async (
  { project },
  _options,
  output,
) => {
  const found = await verbs.integrationsDead(project);
  output.list(
    found,
    found.letters.map(({ outlet, reason, event }) => [event.at, outlet, event.type, oneLine(reason)]),
    "Everything was delivered.",
  );
  if (found.letters.length > 0) output.message("To deliver them again: checkpoint integrations resend");
};

export const integrationsResend: IntegrationCommand<"integrations resend"> = async (
  { project },
  _options,
  output,
) => {
  const done = await verbs.integrationsResend(project);
  const rest = done.left === 0 ? "" : `, ${count(done.left, "event")} left`;
  output.result(done, `${count(done.sent, "event")} delivered${rest}.`);
  return done.left === 0 ? 0 : 1;
};
