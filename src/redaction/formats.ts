/** A kind of secret that its own text gives away: fixed first characters, then `rest`. */
export interface Format {
  readonly rule: string;
  /** The fixed first characters; any of them will do. */
  readonly starts: readonly string[];
  /** What must follow, as the source of a regular expression. Every repeat in it has an upper bound. */
  readonly rest: string;
  /** How many characters of the secret stand before `starts`, and what they must look like. */
  readonly before?: { readonly length: number; readonly pattern: string };
}

const WORD = "[A-Za-z0-9_-]";
const ALNUM = "[A-Za-z0-9]";
const BASE64 = "[A-Za-z0-9+/]";
const HEX = "[a-f0-9]";

/** What tokens and keys look like that show their format: of clouds, code hosts and registries, then of the services that agents call. */
export const FORMATS: readonly Format[] = [
  format("aws-access-key", "AKIA ASIA ABIA ACCA A3T", "[A-Z0-9]{16,17}(?![A-Za-z0-9])"),
  format("aws-session-token", "FwoGZXIvYXdz IQoJb3JpZ2lu", `${BASE64}{80,2000}={0,2}`),
  format("aws-bedrock-key", "ABSK", `${BASE64}{100,300}={0,2}`),
  format("aws-bedrock-key", "bedrock-api-key-", `${BASE64}{40,2000}={0,2}`),
  format("azure-devops-token", "AZDO", `${ALNUM}{20,100}`),
  {
    ...format("azure-client-secret", "~", "[A-Za-z0-9_~.-]{31,34}"),
    before: { length: 5, pattern: "[A-Za-z0-9_~.]{3}[0-9]Q" },
  },
  format("google-api-key", "AIza", `${WORD}{35}`),
  format("google-oauth-token", "ya29.", `[A-Za-z0-9_.-]{20,1000}`),
  format("google-oauth-secret", "GOCSPX-", `${WORD}{20,50}`),
  format("google-refresh-token", "1//0", `${WORD}{40,150}`),
  format("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", `[A-Za-z0-9_]{30,255}(?:\\.${WORD}{10,1000}){0,2}`),
  format("github-token", "github_pat_", "[A-Za-z0-9_]{30,255}"),
  format(
    "gitlab-token",
    "glpat- gldt- glrt- glft- glsoat- glimt- glagent- gloas- glffct- glwt-",
    `${WORD}{20,300}(?:\\.[0-9a-z]{2,20}){0,3}`,
  ),
  format("gitlab-token", "glptt-", `${HEX}{40}`),
  format("gitlab-token", "glcbt-", `${ALNUM}{1,5}_${WORD}{20,64}`),
  format("gitlab-token", "GR1348941", `${WORD}{20,50}`),
  format("bitbucket-token", "ATBB ATCTT3 ATATT3", "[A-Za-z0-9_=-]{24,300}"),
  format("npm-token", "npm_", `${ALNUM}{36,64}`),
  format("pypi-token", "pypi-AgE", `${WORD}{50,1000}`),
  format("rubygems-token", "rubygems_", `${HEX}{48}`),
  format("crates-token", "cio", `${ALNUM}{32}(?![A-Za-z0-9])`),
  format("docker-token", "dckr_pat_ dckr_oat_", `${WORD}{20,64}`),
  format("jfrog-token", "AKCp cmVmd", `${ALNUM}{59,80}`),
  format("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{64}`),
  format("cloudflare-token", "cfk_ cfut_ cfat_", `${WORD}{40,64}`),
  format("cloudflare-token", "v1.0-", `${HEX}{24}-${HEX}{100,160}`),
  format("heroku-token", "HRKU-", `${WORD}{36,80}`),
  format("flyio-token", "fo1_", `${WORD}{40,64}`),
  format("flyio-token", "fm1a_ fm1r_ fm2_", `${BASE64}{80,1000}={0,2}`),
  format("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", `${WORD}{24,80}`),
  format("netlify-token", "nfp_ nfc_ nfo_ nfu_", `${WORD}{36,64}`),
  format("render-token", "rnd_", `${ALNUM}{28,64}`),
  format("railway-token", "rw_Fe26.", "[A-Za-z0-9_*.-]{40,500}"),
  format("supabase-token", "sb_secret_", `${WORD}{16,80}`),
  format("supabase-token", "sbp_", `(?:v0_|oauth_)?${HEX}{40}`),
  format("planetscale-token", "pscale_tkn_ pscale_oauth_ pscale_pw_", "[A-Za-z0-9_=.-]{32,64}"),
  format("neon-token", "napi_", `${ALNUM}{40,80}`),
  format("databricks-token", "dapi", `${HEX}{32}(?:-[0-9])?`),
  format("vault-token", "hvs. hvb. hvr.", `${WORD}{24,400}`),
  format(
    "vault-token",
    "s.",
    "(?=[A-Za-z]{0,23}[0-9])(?=[A-Za-z0-9]{24}(?![A-Za-z0-9_]))[A-Za-z0-9]{24}(?:\\.[A-Za-z0-9]{5})?",
  ),
  {
    ...format("terraform-token", ".atlasv1.", "[A-Za-z0-9_=-]{60,70}"),
    before: { length: 14, pattern: `${ALNUM}{14}` },
  },
  format(
    "doppler-token",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    "(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}",
  ),
  format("pulumi-token", "pul-", `${HEX}{40}`),
  format("infisical-token", "st.", `${ALNUM}{20,40}\\.${ALNUM}{20,64}\\.${ALNUM}{20,64}`),
  format("onepassword-token", "ops_eyJ", `${BASE64}{100,2000}={0,2}`),
  format(
    "onepassword-key",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ),
  format("age-key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", "[A-Z0-9-]{50,100}"),
  format("docker-swarm-token", "SWMTKN-1-", "[a-z0-9]{40,60}-[a-z0-9]{20,30}"),
  format("docker-swarm-token", "SWMKEY-1-", `${BASE64}{40,50}`),
  // The first bytes of a private key in DER, as base64, without the armour around it.
  format(
    "private-key",
    "MC4CAQAwBQYDK2Vw MIGHAgEAMBMGByqG MHcCAQEE MIIEpAIBAAKC MIIEowIBAAKC MIIEogIBAAKC MIIJKQIBAAKC MIIJKAIBAAKC MIIEvgIBADAN MIIEvQIBADAN MIIEvAIBADAN MIIJQgIBADAN MIIJQwIBADAN",
    `${BASE64}{24,8000}={0,2}`,
  ),
  format("openshift-token", "sha256~", `${WORD}{43}`),
  format("alibaba-key", "LTAI", `${ALNUM}{12,20}(?![A-Za-z0-9])`),
  format("anthropic-key", "sk-ant-", `${WORD}{20,200}`),
  format("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-", `${WORD}{20,250}`),
  format("openrouter-key", "sk-or-v1- sk-or-", `${ALNUM}{32,80}`),
  format("openai-key", "sk-", "(?=[A-Za-z-]{0,60}[0-9])[A-Za-z0-9]{20,100}(?![A-Za-z0-9_-])"),
  format("langsmith-key", "lsv2_pt_ lsv2_sk_", `[a-f0-9]{32}_[a-f0-9]{10}`),
  format(
    "huggingface-token",
    "hf_ api_org_",
    // Enough capitals: `hf_requiredCharacteristicTypes` is the name of something else.
    "(?=(?:[a-z0-9]{0,12}[A-Z]){7})[A-Za-z0-9]{34,40}(?![A-Za-z0-9_])",
  ),
  format("groq-key", "gsk_", `${ALNUM}{40,80}`),
  format("xai-key", "xai-", `${ALNUM}{60,100}`),
  format("perplexity-key", "pplx-", `${ALNUM}{40,64}`),
  format("replicate-token", "r8_", `${ALNUM}{37}`),
  format("nvidia-key", "nvapi-", `${WORD}{60,80}`),
  format("fireworks-key", "fw_", "(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{22,24}(?![A-Za-z0-9_])"),
  format("tavily-key", "tvly-", `${WORD}{28,64}`),
  format("pinecone-key", "pcsk_", `[A-Za-z0-9_]{40,100}`),
  format("e2b-key", "e2b_", `${HEX}{40}`),
  format("slack-token", "xoxb- xoxp- xoxs- xoxo- xoxc-", "[0-9]{6,15}-[A-Za-z0-9-]{8,250}"),
  format("slack-token", "xoxa- xoxr- xoxe- xoxd-", "(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9%-]{20,300}"),
  format("slack-token", "xoxe.xoxb- xoxe.xoxp- xapp-", "[A-Za-z0-9-]{20,250}"),
  format(
    "slack-webhook",
    "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
    "[A-Za-z0-9+/]{30,80}",
  ),
  format("zapier-webhook", "hooks.zapier.com/hooks/catch/", "[A-Za-z0-9/]{10,40}"),
  format(
    "discord-webhook",
    "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
    `[0-9]{15,20}/${WORD}{50,80}`,
  ),
  format("teams-webhook", ".webhook.office.com/webhookb2/", "[a-z0-9@/-]{50,200}"),
  format("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_", `${ALNUM}{10,250}`),
  format("stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/]{24,80}={0,2}"),
  format("square-token", "sq0atp- sq0csp-", `${WORD}{22,60}`),
  format("shopify-token", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32}"),
  format("sendgrid-key", "SG.", `${WORD}{16,32}\\.${WORD}{30,64}`),
  format("mailgun-key", "key-", `${HEX}{32}(?![a-z0-9])`),
  format("brevo-key", "xkeysib-", `${HEX}{64}-${ALNUM}{16}`),
  format("resend-key", "re_", `${ALNUM}{8}_${ALNUM}{20,32}`),
  format("twilio-key", "SK", "[a-f0-9]{32}(?![A-Za-z0-9])"),
  format("airtable-token", "pat", `${ALNUM}{14}\\.${HEX}{64}`),
  format("contentful-token", "CFPAT-", `${WORD}{40,64}`),
  format("harness-token", "pat. sat.", `${WORD}{22}\\.${ALNUM}{24}\\.${ALNUM}{20}`),
  format("octopus-key", "API-", "[A-Z0-9]{25,31}(?![A-Za-z0-9])"),
  format("sourcegraph-token", "slk_", `${HEX}{64}`),
  format("notion-token", "ntn_ secret_", `${ALNUM}{43,60}`),
  format("linear-key", "lin_api_ lin_oauth_", `${ALNUM}{40,64}`),
  format("figma-token", "figd_ figo_", `${WORD}{36,64}`),
  format("postman-key", "PMAK-", `${HEX}{24}-${HEX}{34}`),
  format("typeform-token", "tfp_", "[A-Za-z0-9_.=-]{40,64}"),
  format("sentry-token", "sntrys_ sntryu_", "[A-Za-z0-9+/=_]{40,500}"),
  format("grafana-token", "glsa_", `${ALNUM}{32}_[A-Fa-f0-9]{8}`),
  format("grafana-token", "glc_", `${BASE64}{32,400}={0,2}`),
  format("newrelic-key", "NRAK- NRII- NRIQ- NRJS-", `${WORD}{19,40}`),
  format("dynatrace-token", "dt0c01. dt0s01.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  format("sonar-token", "squ_ sqp_ sqa_", `${HEX}{40}`),
  format("sourcegraph-token", "sgp_", "(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"),
  format("snyk-token", "snyk_", "[A-Za-z0-9_.-]{40,200}"),
  format("prefect-token", "pnu_ pnb_", `${ALNUM}{36}`),
  format("facebook-token", "EAAC EAAM EAAG EAAB", `${ALNUM}{80,300}`),
  format("mapbox-token", "sk.eyJ", `${WORD}{40,300}\\.${WORD}{20,64}`),
  format("jwt", "eyJ", `${WORD}{8,400}\\.(?:eyJ)?${WORD}{4,2000}(?:\\.${WORD}{0,2000}){1,3}`),
];

/** A format whose beginnings are given as words of one string. */
function format(rule: string, starts: string, rest: string): Format {
  return { rule, starts: starts.split(" "), rest };
}
