import type { Json } from "../../../core/objects/json.ts";
import { createRedactor, type Redactor, type RedactorOptions } from "../../../core/redaction/redactor.ts";
import { closeGaps } from "../../../core/text/shorten.ts";
import type { EventFacts } from "./facts.ts";

/** The facts with every secret replaced, and then cut to their limits. */
export function withoutSecrets(facts: EventFacts, options: RedactorOptions | undefined): EventFacts {
  const redactor = createRedactor(options);
  const clean = redactor.redact(facts as unknown as Json).value as unknown as EventFacts;
  return closeGaps({
    ...clean,
    calls: clean.calls?.map((call, index) => ({
      ...call,
      id: cleanId(redactor, facts.calls![index]!.id),
      background: cleanId(redactor, facts.calls![index]!.background),
    })),
    background: clean.background?.map((work, index) => ({
      ...work,
      id: cleanId(redactor, facts.background![index]!.id),
    })),
  });
}

/** A client's ids look random but must stay as they are; only one with the form of a secret is replaced. */
function cleanId<Id extends string | undefined>(redactor: Redactor, id: Id): Id {
  const { value, findings } = redactor.redactText(id ?? "");
  return findings.some(({ rule }) => rule !== "random-token") ? (value as Id) : id;
}
