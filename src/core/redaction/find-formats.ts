import { ALPHANUMERIC, isOneOf, skipForward } from "./scan.ts";
import type { Span } from "./span.ts";

interface FormatStart {
  readonly rule: string;
  readonly start: string;
  /** Compiled when its beginning is first met: most never are, and all together take milliseconds. */
  readonly pattern: () => RegExp;
  readonly lengthBefore: number;
}

/** The formats by the first character of their fixed beginning, those with the longest beginning first. */
let byFirst: ReadonlyMap<number, readonly FormatStart[]> | undefined;

function formatsAt(character: number): readonly FormatStart[] {
  byFirst ??= Map.groupBy(
    FORMATS.flatMap(startsOf).toSorted((a, b) => b.start.length - a.start.length),
    ({ start }) => start.charCodeAt(0),
  );
  return byFirst.get(character) ?? [];
}

/** Adds the secrets in `text.slice(start, end)`, a run of token characters, that a fixed beginning announces. */
export function findFormats(text: string, start: number, end: number, found: Span[]): void {
  let index = start;
  while (index < end - 1) {
    const span = matchAt(text, index, start, formatsAt(text.charCodeAt(index)));
    if (span !== undefined) {
      found.push(span);
      index = Math.max(index + 1, span.end);
    } else {
      // Formats begin where a word begins: `task-` does not begin with `sk-`.
      index = Math.max(index + 1, skipForward(text, index, ALPHANUMERIC, end - index));
    }
  }
}

/** Documentation writes tokens as `ghp_xxxxxxxx…`; random text does not repeat a character that often, except `A` in base64. */
const MASKED = /([B-Za-z0-9])\1{9}/;

function matchAt(
  text: string,
  index: number,
  first: number,
  formats: readonly FormatStart[],
): Span | undefined {
  for (const { rule, start, pattern, lengthBefore } of formats) {
    if (!text.startsWith(start, index)) continue;
    const from = index - lengthBefore;
    if (from < first || (from > first && isOneOf(text, from - 1, ALPHANUMERIC))) continue;
    const sticky = pattern();
    sticky.lastIndex = from;
    if (sticky.test(text) && !MASKED.test(text.slice(from, sticky.lastIndex))) {
      return { start: from, end: sticky.lastIndex, rule };
    }
  }
  return undefined;
}

function startsOf([rule, starts, rest, before]: Format): FormatStart[] {
  return starts.split(" ").map((start) => {
    let pattern: RegExp | undefined;
    return {
      rule,
      start,
      pattern: () => (pattern ??= new RegExp(`${before?.pattern ?? ""}${escape(start)}${rest}`, "y")),
      lengthBefore: before?.length ?? 0,
    };
  });
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, "\\$&");
}

/**
 * A kind of secret that its own text gives away: its rule, its fixed first characters (any of these words), and what must
 * follow, as the source of a regular expression in which every repeat has an upper bound. Some have characters of the
 * secret before those first ones.
 */
type Format = readonly [
  rule: string,
  starts: string,
  rest: string,
  before?: { readonly length: number; readonly pattern: string },
];

const WORD = "[A-Za-z0-9_-]";
const ALNUM = "[A-Za-z0-9]";
const BASE64 = "[A-Za-z0-9+/]";
const HEX = "[a-f0-9]";

/** What tokens and keys look like that show their format: of clouds, code hosts and registries, then of the services that agents call. */
export const FORMATS: readonly Format[] = [
  ["aws-access-key", "AKIA ASIA ABIA ACCA A3T", "[A-Z0-9]{16,17}(?![A-Za-z0-9])"],
  ["aws-session-token", "FwoGZXIvYXdz IQoJb3JpZ2lu", `${BASE64}{80,2000}={0,2}`],
  ["aws-bedrock-key", "ABSK", `${BASE64}{100,300}={0,2}`],
  ["aws-bedrock-key", "bedrock-api-key-", `${BASE64}{40,2000}={0,2}`],
  ["azure-devops-token", "AZDO", `${ALNUM}{20,100}`],
  ["azure-client-secret", "~", "[A-Za-z0-9_~.-]{31,34}", { length: 5, pattern: "[A-Za-z0-9_~.]{3}[0-9]Q" }],
  ["google-api-key", "AIza", `${WORD}{35}`],
  ["google-oauth-token", "ya29.", `[A-Za-z0-9_.-]{20,1000}`],
  ["google-oauth-secret", "GOCSPX-", `${WORD}{20,50}`],
  ["google-refresh-token", "1//0", `${WORD}{40,150}`],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", `[A-Za-z0-9_]{30,255}(?:\\.${WORD}{10,1000}){0,2}`],
  ["github-token", "github_pat_", "[A-Za-z0-9_]{30,255}"],
  [
    "gitlab-token",
    "glpat- gldt- glrt- glft- glsoat- glimt- glagent- gloas- glffct- glwt-",
    `${WORD}{20,300}(?:\\.[0-9a-z]{2,20}){0,3}`,
  ],
  ["gitlab-token", "glptt-", `${HEX}{40}`],
  ["gitlab-token", "glcbt-", `${ALNUM}{1,5}_${WORD}{20,64}`],
  ["gitlab-token", "GR1348941", `${WORD}{20,50}`],
  ["bitbucket-token", "ATBB ATCTT3 ATATT3", "[A-Za-z0-9_=-]{24,300}"],
  ["npm-token", "npm_", `${ALNUM}{36,64}`],
  ["pypi-token", "pypi-AgE", `${WORD}{50,1000}`],
  ["rubygems-token", "rubygems_", `${HEX}{48}`],
  ["crates-token", "cio", `${ALNUM}{32}(?![A-Za-z0-9])`],
  ["docker-token", "dckr_pat_ dckr_oat_", `${WORD}{20,64}`],
  ["jfrog-token", "AKCp cmVmd", `${ALNUM}{59,80}`],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{64}`],
  ["cloudflare-token", "cfk_ cfut_ cfat_", `${WORD}{40,64}`],
  ["cloudflare-token", "v1.0-", `${HEX}{24}-${HEX}{100,160}`],
  ["heroku-token", "HRKU-", `${WORD}{36,80}`],
  ["flyio-token", "fo1_", `${WORD}{40,64}`],
  ["flyio-token", "fm1a_ fm1r_ fm2_", `${BASE64}{80,1000}={0,2}`],
  ["vercel-token", "vcp_ vci_ vca_ vcr_ vck_", `${WORD}{24,80}`],
  ["netlify-token", "nfp_ nfc_ nfo_ nfu_", `${WORD}{36,64}`],
  ["render-token", "rnd_", `${ALNUM}{28,64}`],
  ["railway-token", "rw_Fe26.", "[A-Za-z0-9_*.-]{40,500}"],
  ["supabase-token", "sb_secret_", `${WORD}{16,80}`],
  ["supabase-token", "sbp_", `(?:v0_|oauth_)?${HEX}{40}`],
  ["planetscale-token", "pscale_tkn_ pscale_oauth_ pscale_pw_", "[A-Za-z0-9_=.-]{32,64}"],
  ["neon-token", "napi_", `${ALNUM}{40,80}`],
  ["databricks-token", "dapi", `${HEX}{32}(?:-[0-9])?`],
  ["vault-token", "hvs. hvb. hvr.", `${WORD}{24,400}`],
  [
    "vault-token",
    "s.",
    "(?=[A-Za-z]{0,23}[0-9])(?=[A-Za-z0-9]{24}(?![A-Za-z0-9_]))[A-Za-z0-9]{24}(?:\\.[A-Za-z0-9]{5})?",
  ],
  ["terraform-token", ".atlasv1.", "[A-Za-z0-9_=-]{60,70}", { length: 14, pattern: `${ALNUM}{14}` }],
  [
    "doppler-token",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    "(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}",
  ],
  ["pulumi-token", "pul-", `${HEX}{40}`],
  ["infisical-token", "st.", `${ALNUM}{20,40}\\.${ALNUM}{20,64}\\.${ALNUM}{20,64}`],
  ["onepassword-token", "ops_eyJ", `${BASE64}{100,2000}={0,2}`],
  [
    "onepassword-key",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ],
  ["age-key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", "[A-Z0-9-]{50,100}"],
  ["docker-swarm-token", "SWMTKN-1-", "[a-z0-9]{40,60}-[a-z0-9]{20,30}"],
  ["docker-swarm-token", "SWMKEY-1-", `${BASE64}{40,50}`],
  // The first bytes of a private key in DER, as base64, without the armour around it.
  [
    "private-key",
    "MC4CAQAwBQYDK2Vw MIGHAgEAMBMGByqG MHcCAQEE MIIEpAIBAAKC MIIEowIBAAKC MIIEogIBAAKC MIIJKQIBAAKC MIIJKAIBAAKC MIIEvgIBADAN MIIEvQIBADAN MIIEvAIBADAN MIIJQgIBADAN MIIJQwIBADAN",
    `${BASE64}{24,8000}={0,2}`,
  ],
  ["kubernetes-token", "K10", `${HEX}{64}::[a-z]{1,16}:${ALNUM}{16,64}`],
  ["openshift-token", "sha256~", `${WORD}{43}`],
  ["alibaba-key", "LTAI", `${ALNUM}{12,20}(?![A-Za-z0-9])`],
  ["anthropic-key", "sk-ant-", `${WORD}{20,200}`],
  ["openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-", `${WORD}{20,250}`],
  ["openrouter-key", "sk-or-v1- sk-or-", `${ALNUM}{32,80}`],
  ["openai-key", "sk-", "(?=[A-Za-z-]{0,60}[0-9])[A-Za-z0-9]{20,100}(?![A-Za-z0-9_-])"],
  ["langsmith-key", "lsv2_pt_ lsv2_sk_", `[a-f0-9]{32}_[a-f0-9]{10}`],
  [
    "huggingface-token",
    "hf_ api_org_",
    // Enough capitals: `hf_requiredCharacteristicTypes` is the name of something else.
    "(?=(?:[a-z0-9]{0,12}[A-Z]){7})[A-Za-z0-9]{34,40}(?![A-Za-z0-9_])",
  ],
  ["groq-key", "gsk_", `${ALNUM}{40,80}`],
  ["xai-key", "xai-", `${ALNUM}{60,100}`],
  ["perplexity-key", "pplx-", `${ALNUM}{40,64}`],
  ["replicate-token", "r8_", `${ALNUM}{37}`],
  ["nvidia-key", "nvapi-", `${WORD}{60,80}`],
  ["fireworks-key", "fw_", "(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{22,24}(?![A-Za-z0-9_])"],
  ["tavily-key", "tvly-", `${WORD}{28,64}`],
  ["pinecone-key", "pcsk_", `[A-Za-z0-9_]{40,100}`],
  ["e2b-key", "e2b_", `${HEX}{40}`],
  ["slack-token", "xoxb- xoxp- xoxs- xoxo- xoxc-", "[0-9]{6,15}-[A-Za-z0-9-]{8,250}"],
  ["slack-token", "xoxa- xoxr- xoxe- xoxd-", "(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9%-]{20,300}"],
  ["slack-token", "xoxe.xoxb- xoxe.xoxp- xapp-", "[A-Za-z0-9-]{20,250}"],
  [
    "slack-webhook",
    "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
    "[A-Za-z0-9+/]{30,80}",
  ],
  ["zapier-webhook", "hooks.zapier.com/hooks/catch/", "[A-Za-z0-9/]{10,40}"],
  [
    "discord-webhook",
    "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
    `[0-9]{15,20}/${WORD}{50,80}`,
  ],
  ["teams-webhook", "webhook.office.com/webhookb2/", "[A-Za-z0-9@/-]{50,300}"],
  ["stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_", `${ALNUM}{10,250}`],
  ["stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/]{24,80}={0,2}"],
  ["square-token", "sq0atp- sq0csp-", `${WORD}{22,60}`],
  ["shopify-token", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32}"],
  ["sendgrid-key", "SG.", `${WORD}{16,32}\\.${WORD}{30,64}`],
  ["mailgun-key", "key-", `${HEX}{32}(?![a-z0-9])`],
  ["brevo-key", "xkeysib-", `${HEX}{64}-${ALNUM}{16}`],
  ["resend-key", "re_", `${ALNUM}{8}_${ALNUM}{20,32}`],
  ["twilio-key", "SK", "[a-f0-9]{32}(?![A-Za-z0-9])"],
  ["airtable-token", "pat", `${ALNUM}{14}\\.${HEX}{64}`],
  ["contentful-token", "CFPAT-", `${WORD}{40,64}`],
  ["harness-token", "pat. sat.", `${WORD}{22}\\.${ALNUM}{24}\\.${ALNUM}{20}`],
  ["octopus-key", "API-", "[A-Z0-9]{25,31}(?![A-Za-z0-9])"],
  ["sourcegraph-token", "slk_", `${HEX}{64}`],
  ["notion-token", "ntn_ secret_", `${ALNUM}{43,60}`],
  ["linear-key", "lin_api_ lin_oauth_", `${ALNUM}{40,64}`],
  ["figma-token", "figd_ figo_", `${WORD}{36,64}`],
  ["postman-key", "PMAK-", `${HEX}{24}-${HEX}{34}`],
  ["typeform-token", "tfp_", "[A-Za-z0-9_.=-]{40,64}"],
  ["sentry-token", "sntrys_ sntryu_", "[A-Za-z0-9+/=_]{40,500}"],
  ["grafana-token", "glsa_", `${ALNUM}{32}_[A-Fa-f0-9]{8}`],
  ["grafana-token", "glc_", `${BASE64}{32,400}={0,2}`],
  ["newrelic-key", "NRAK- NRII- NRIQ- NRJS-", `${WORD}{19,40}`],
  ["dynatrace-token", "dt0c01. dt0s01.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["sonar-token", "squ_ sqp_ sqa_", `${HEX}{40}`],
  ["sourcegraph-token", "sgp_", "(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"],
  ["snyk-token", "snyk_", "[A-Za-z0-9_.-]{40,200}"],
  ["prefect-token", "pnu_ pnb_", `${ALNUM}{36}`],
  ["facebook-token", "EAAC EAAM EAAG EAAB", `${ALNUM}{80,300}`],
  ["mapbox-token", "sk.eyJ", `${WORD}{40,300}\\.${WORD}{20,64}`],
  ["jwt", "eyJ", `${WORD}{8,400}\\.(?:eyJ)?${WORD}{4,2000}(?:\\.${WORD}{0,2000}){1,3}`],
];
