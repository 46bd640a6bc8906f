import { isObviouslyPlain } from "../checkpoints/redaction/obviously-plain.ts";
import type { RedactorOptions } from "../checkpoints/redaction/redactor.ts";
import type { Json } from "../objects/json.ts";
import type { Said } from "./facts.ts";
import { closeGaps } from "./shorten.ts";

/**
 * What was said, with each secret in it replaced, and then cut to its limits. Ids that clients make up look like secrets, but are none, and must
 * stay what they are; so they are left out of the search.
 */
export async function withoutSecrets(said: Said, options: RedactorOptions | undefined): Promise<Said> {
  const { calls = [], background = [], ...rest } = said;
  const searched = {
    ...rest,
    calls: calls.map(({ id: _id, background: _background, ...call }) => call),
    background: background.map(({ id: _id, ...item }) => item),
  };
  // The rules take milliseconds to load, and there is an event every few seconds. Secrets of one's own may look like anything.
  const hasOwn = (options?.extraPatterns ?? []).length > 0;
  if (!hasOwn && isObviouslyPlain(searched)) return closeGaps(said);
  const { createRedactor } = await import("../checkpoints/redaction/redactor.ts");
  const { value } = createRedactor(options).redact(searched as unknown as Json);
  const { calls: cleanCalls, background: cleanBackground, ...clean } = value as unknown as typeof searched;
  return closeGaps({
    ...clean,
    ...(said.calls && { calls: calls.map((call, index) => ({ ...call, ...cleanCalls[index] })) }),
    ...(said.background && {
      background: background.map((item, index) => ({ ...item, ...cleanBackground[index] })),
    }),
  });
}
