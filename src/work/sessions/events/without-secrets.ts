import type { Json, JsonObject } from "../../../core/objects/json.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { closeGaps } from "../../../core/text/shorten.ts";
import type { EventContent } from "./session-event.ts";
import type { ActivityUpdate } from "./transcript-entry.ts";

/** What an event says with every secret replaced, and then cut to its limits. */
export function withoutSecrets(content: EventContent, redactor: Redactor): EventContent {
  const clean = redactor.redact(content as unknown as Json).value as unknown as EventContent;
  return closeGaps({
    ...clean,
    calls: clean.calls?.map((call, index) => ({
      ...call,
      id: cleanId(redactor, content.calls![index]!.id),
      background: cleanId(redactor, content.calls![index]!.background),
    })),
    background: clean.background?.map((work, index) => {
      return { ...work, id: cleanId(redactor, content.background![index]!.id) };
    }),
  });
}

/** The same of what an agent said and did. */
export function activityWithoutSecrets(activity: ActivityUpdate, redactor: Redactor): ActivityUpdate {
  const { entries, goal, branch, inFlight = [] } = activity;
  const told = { entries, inFlight, ...(goal && { goal }), ...(branch && { branch }) };
  const clean = closeGaps(redactor.redact(told as unknown as JsonObject).value);
  return { ...activity, ...(clean as unknown as typeof told) };
}

/** A client's ids look random but must stay as they are; only one with the form of a secret is replaced. */
function cleanId<Id extends string | undefined>(redactor: Redactor, id: Id): Id {
  const { value, findings } = redactor.redactText(id ?? "");
  return findings.some(({ rule }) => rule !== "random-token") ? (value as Id) : id;
}
