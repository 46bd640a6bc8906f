import { type Random, seededRandom } from "../random.ts";
import { fill, type Sample } from "./samples.ts";

/**
 * Secrets as nobody has written them down: every part is drawn at random, so that a rule that knows one service or one
 * notation gains little. What is missed here is missed as a family.
 */

/** What a secret is called. A service, an ending and a spelling are added. */
const KEY_NOUNS = split(
  `api key;token;secret;access token;secret key;client secret;access key;private key;auth token;signing secret;signing key;
   webhook secret;pat;encryption key;master key;license key;service key;app key;consumer secret;admin key;jwt secret;hmac key;
   sas token;refresh token;deploy token;bot token;account key;shared key;write key;sdk key;ingest key;auth key;storage key;
   api secret;api token;session secret;bearer token;totp secret;personal access token;service token;registry token;
   secret access key;credential;webhook signing key;oauth token;token secret;runner token;join token;management key;
   upload token;root token;unseal key;function key;subscription key;partner key;merchant secret;preshared key`,
);
const PASSWORD_NOUNS = split(
  `password;passwd;pwd;passphrase;passcode;db password;root password;admin password;keystore password;vault password;
   become pass;smtp pass;db pass;ssh password;bind password;app password;mail password;db pw;admin pw;root pw;master password;
   key passphrase;mysql pwd;sa password;proxy password;redis password;auth pass`,
);
const OWNERS = ["", "", "acme", "zephyr", "billing", "orbit cloud", "my app"];
const ENDINGS = ["", "", "", "prod", "v2", "2", "staging", "old"];

const SPELLINGS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join("_"),
  (words) => words.join("_").toUpperCase(),
  (words) => words.join("-"),
  (words) => words.join("."),
  (words) => words.map(capital).join(""),
  (words) => words.map((word, at) => (at === 0 ? word : capital(word))).join(""),
];

/** What stands between a name and its value, in files, programs, commands, documents and sentences. `@` is the name, `§` the value. */
const NOTATIONS = [
  "@=§",
  "export @='§'",
  "@ = §",
  "@: §",
  '{"a":1,"@":"§","b":2}',
  '@ = "§"',
  'connect(host="a", @="§")',
  "{ @: '§' }",
  "@: `§`",
  ":@ => '§'",
  "'@' => '§',",
  "define('@', '§');",
  '@ := "§"',
  '$env:@ = "§"',
  "set @=§",
  "setx @ §",
  "setenv @ §",
  "set -gx @ '§'",
  "ENV @ §",
  "docker run -e @=§ image",
  "curl -H '@: §' https://example.org",
  "tool --@ § run",
  "tool --@='§' run",
  "java -D@=§ -jar a.jar",
  "<@>§</@>",
  '<conn host="a" @="§"/>',
  '<add key="@" value="§" />',
  "<key>@</key>\n<string>§</string>",
  "GET /a?b=1&@=§&c=2",
  'variable "@" {\n  default = "§"\n}',
  "- name: @\n  value: §",
  "INFO config loaded: @: §, region: eu",
  "the @ is §",
  "@ has been set to §",
  "@ -> §",
  "| `@` | `§` |",
  "**@:** §",
  "INSERT INTO t (id, @) VALUES (1, '§')",
  "gh secret set @ --body §",
  "tool config set @ §",
  'proxy_set_header @ "§";',
  'request.Header.Set("@", "§")',
  'private static final String @ = "§";',
  'const @: string = "§";',
  '#define @ "§"',
  'os.getenv("@", "§")',
  "process.env.@ || '§'",
  "${@:-§}",
  "+  @: §",
  "kubectl create secret generic a --from-literal=@=§",
  "Server=a;@=§;Database=x",
  '["@", "§"]',
  '(setq @ "§")',
  "$ printenv @\n§",
  "@: >-\n  §",
  '{\\"@\\": \\"§\\"}',
  "if (@ === '§') {",
];

const KEY_FORMS = split(
  "<alnum 20>;<alnum 32>;<alnum 64>;<hex 20>;<hex 32>;<hex 40>;<hex 64>;<uuid>;<word 43>;<base64 43>=;<lowerdigits 24>;<lowerdigits 40>;<upperdigits 32>",
);
const PASSWORD_FORMS = split(
  "Falcon!winter<digits 3>;copper<digits 2><alnum 6>;<alnum 16>;<lowerdigits 10>7q;Quartz<digits 4>!;<hex 24>;<word 24>x;S3cr3t-Tundra-<digits 4>",
);

const DRAWN_FORMS = split(
  "<alnum 16>;<alnum 24>;<lowerdigits 16>;<upperdigits 20>;<alnum 8>#<alnum 8>;<word 20>x",
);

/** Where only something near says that a value is a secret: commands and what they print, announcements, tables, pairs, calls. */
const PLACES = [
  "$ cat /run/secrets/app_token\n§\n$ ls",
  "$ vault kv get -field=password secret/app\n§",
  "> kubectl get secret db -o jsonpath='{.data.password}' | base64 -d\n§",
  "Password for the [app] user successfully reset.\nNew value: §",
  "Here is your token:\n\n    §\n\nKeep it safe.",
  "creds: admin / §",
  "enable secret §",
  "name,login,password\nprod,root,§\n",
  "| System | User | Password |\n|---|---|---|\n| Wiki | ada | § |",
  " id | user | api_token\n----+------+-----\n  1 | ada  | §\n",
  "HOST      USER    PASSWORD\n10.0.0.1  root    §",
  "etcdctl --user root:§ endpoint health",
  "stats auth ada:§",
  "tool sync -w § --all",
  'expect "assword:"\nsend "§\\r"',
  'WiFi.begin("office", "§");',
  'client.SetBasicAuth("ada", "§")',
  "kind: Secret\nmetadata:\n  name: a\nstringData:\n  config: §",
  "DBPassword:\n    Type: String\n    Default: §",
];

/** Keys that begin with letters of a service that does not exist, and a word for their kind. */
const SERVICES = split("acme;zt;flx;qdr;orbit;nimbus;tyk2;wx;glow;kestrel;PLN;xr");
const KINDS = split(
  "live;test;sk;pat;key;secret;token;api;apikey;sec;access;oauth;svc;bot;personal;api_key;sk_live",
);
const KEY_BODIES = split(
  "<hex 32>;<hex 40>;<hex 64>;<alnum 20>;<alnum 32>;<alnum 64>;<lowerdigits 32>;<upperdigits 32>;<uuid>;<word 32>;<letters 32>;<base32 26>;<hex 16>_<hex 40>",
);
const BARE = ["It printed § again.", "x(§)", 'got "§" back', "started\n§\nfinished", "- `§`"];

const ROUNDS = 6;

/** The families by name, the same for the same seed. */
export function familySamples(seed: number): Readonly<Record<string, readonly Sample[]>> {
  const random = seededRandom(seed);
  const named = (nouns: readonly string[], forms: readonly string[]) =>
    NOTATIONS.flatMap((notation) =>
      Array.from({ length: ROUNDS }, () => {
        const name = nameOf(random.pick(nouns), random);
        return sampleOf(
          notation.replaceAll("@", () => name),
          random.pick(forms),
          random,
        );
      }),
    );
  return {
    "keys under a name": named(KEY_NOUNS, KEY_FORMS),
    "passwords under a name": named(PASSWORD_NOUNS, PASSWORD_FORMS),
    "secrets that something near gives away": PLACES.flatMap((place) =>
      Array.from({ length: ROUNDS }, () => sampleOf(place, random.pick(DRAWN_FORMS), random)),
    ),
    "keys that begin with a service": KEY_BODIES.flatMap((body) =>
      Array.from({ length: 4 * ROUNDS }, () => {
        const joint = random.pick(["_", "-"]);
        const kind = random.pick(KINDS).replaceAll("_", joint);
        return sampleOf(random.pick(BARE), `${random.pick(SERVICES)}${joint}${kind}${joint}${body}`, random);
      }),
    ),
  };
}

function sampleOf(place: string, form: string, random: Random): Sample {
  const secret = fill(form, random);
  // Of a key, the letters of its service may stay.
  const hidden = secret.slice(Math.max(0, form.indexOf("<")));
  return { name: place, secret, hidden, text: place.replace("§", () => secret), isTelling: false };
}

function nameOf(noun: string, random: Random): string {
  const words = [random.pick(OWNERS), noun, random.pick(ENDINGS)].join(" ").trim().split(/ +/);
  return random.pick(SPELLINGS)(words);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function split(list: string): readonly string[] {
  return list.split(";").map((item) => item.trim());
}
