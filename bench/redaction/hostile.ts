/** What rules look for: text that consists of nothing else is where a rule can take long. */
const UNITS: readonly string[] = [
  ..."aA1-_./=: \n\"'\\%{<&é".split(""),
  ..."%25,%2,%61%70%69%3d,\u001B[,\u001B[0m,\\u001b[1m,sk-,ab_,a.,api_key ,API_KEY=,password=,0x".split(","),
  ..."machine a login b ,mc alias set a b c ,htpasswd -b ,-oauth.,--password ,-p,curl -u ,is ".split(","),
  ...'variable "x" {|value: |default = |ConvertTo-SecureString "|-----BEGIN A-----\n|://a:|@tcp(|Bearer '.split(
    "|",
  ),
  ..."password is set to |user a pass |login('a', |&amp;|\\u0026|https://hooks.a/|API_KEY |X-A-B: |<key>token</key>".split(
    "|",
  ),
  ..."a1B2c3D4e5F6g7H8i9J0k1L2m3:,YWJjZGVmZ2hpamtsbW5vcA\n,eyJ,550e8400-e29b-41d4-a716-446655440000-".split(
    ",",
  ),
];

const CHARS = 40_000;

export interface Slowest {
  readonly text: string;
  /** Milliseconds of CPU for a text, and how many times as long one takes that is four times as long. */
  readonly ms: number;
  readonly growth: number;
}

/** Tries each unit and each two of them, repeated, and returns the one whose time grows most. */
export function slowest(redact: (text: string) => unknown): Slowest {
  const texts = UNITS.flatMap((unit, at) => [unit, ...UNITS.slice(at + 1).map((other) => unit + other)]);
  let worst: Slowest = { text: "", ms: 0, growth: 0 };
  for (const text of texts) {
    const ms = cpuOf(redact, text, CHARS);
    // Shorter times say little about how they grow.
    if (ms < 30) continue;
    const growth = cpuOf(redact, text, 4 * CHARS) / ms;
    if (growth > worst.growth) worst = { text, ms, growth };
  }
  return worst;
}

/** The lowest of three: something else may run meanwhile. */
function cpuOf(redact: (text: string) => unknown, unit: string, chars: number): number {
  const text = unit.repeat(Math.ceil(chars / unit.length));
  const times = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    redact(text);
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...times);
}
