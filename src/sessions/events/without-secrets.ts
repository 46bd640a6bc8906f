import { isObviouslyPlain } from "../../redaction/obviously-plain.ts";
import type { Redactor, RedactorOptions } from "../../redaction/redactor.ts";
import type { Json } from "../../objects/json.ts";
import type { About, Said } from "./facts.ts";
import { closeGaps } from "../../text/shorten.ts";

/** What was said, with each secret in it replaced, and then cut to its limits. */
export async function withoutSecrets(said: Said, options: RedactorOptions | undefined): Promise<Said> {
  const { calls = [], background = [], about = {}, ...rest } = said;
  const searched = {
    ...rest,
    calls: calls.map(({ id: _id, background: _background, ...call }) => call),
    background: background.map(({ id: _id, ...item }) => item),
  };
  const ids = [
    ...calls.flatMap(({ id, background: other }) => [id, other ?? ""]),
    ...background.map(({ id }) => id),
  ];
  // The rules take milliseconds to load, and there is an event every few seconds. Secrets of one's own may look like anything.
  const hasOwn = (options?.extraPatterns ?? []).length > 0;
  if (!hasOwn && isObviouslyPlain(searched) && isPlainAbout(about) && !ids.some(looksLikeSecret))
    return closeGaps(said);
  const { createRedactor } = await import("../../redaction/redactor.ts");
  const redactor = createRedactor(options);
  const clean = redactor.redact({ ...searched, about } as unknown as Json) as unknown as {
    value: typeof searched & { about: About };
  };
  const { calls: cleanCalls, background: cleanBackground, ...other } = clean.value;
  return closeGaps({
    ...other,
    ...(said.calls && {
      calls: calls.map(({ id, background: task }, index) => ({
        ...(cleanCalls[index] as (typeof cleanCalls)[number]),
        id: cleanId(redactor, id),
        ...(task === undefined ? {} : { background: cleanId(redactor, task) }),
      })),
    }),
    ...(said.background && {
      background: background.map((item, index) => ({
        ...item,
        ...cleanBackground[index],
        id: cleanId(redactor, item.id),
      })),
    }),
  });
}

/** Ids that clients make up look random, but must stay what they are; only what is a secret by its form is none. */
function cleanId(redactor: Redactor, id: string): string {
  const { value, findings } = redactor.redactText(id);
  return findings.some(({ rule }) => rule !== "random-token") ? value : id;
}

/** How secrets begin, and what stands around those that begin like anything. */
const SECRET_SIGNS =
  /sk[-_]|pk_|rk_|gh[a-z]_|github_|gl[a-z]+-|xox|xapp|AKIA|ASIA|AIza|ya29|eyJ|npm_|hf_|pypi|dop_|shp|SG\.|key-|[=:@]|pass|pwd|secret|token|cred|auth|cookie|bearer/i;

function looksLikeSecret(text: string): boolean {
  return SECRET_SIGNS.test(text);
}

/** Names and paths of clients have ids in them; a secret has a longer run of letters and digits, or one of its signs. */
function isPlainAbout(about: About): boolean {
  return Object.values(about).every(
    (text: string | undefined) =>
      text === undefined ||
      (/^[\w ./\\~+-]*$/.test(text.replace(/^[A-Z]:/, "")) &&
        !looksLikeSecret(text) &&
        text
          .split(/[ ./\\~+_-]/)
          .every((word) => word.length < 16 || /^(?:[a-z]*|[0-9a-f]{40}|[0-9a-f]{64})$/.test(word))),
  );
}
