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
  ..."a | password\n,root:,kX9#vB2m!Qw7zT,token\t".split(","),
  ..."a1B2c3D4e5F6g7H8i9J0k1L2m3:,YWJjZGVmZ2hpamtsbW5vcA\n,eyJ,550e8400-e29b-41d4-a716-446655440000-".split(
    ",",
  ),
];

const CHARS = 40_000;

/** Shorter times say little about how they grow. */
const WORTH_COMPARING_MS = 30;

/** A text of any length. */
interface Shape {
  readonly name: string;
  readonly ofLength: (chars: number) => string;
}

export interface Slowest {
  readonly shape: string;
  /** Milliseconds of CPU for a text, and how many times as long one takes that is four times as long. */
  readonly ms: number;
  readonly growth: number;
}

/** Tries each unit and each two of them, in turn and one after the other, and returns the one whose time grows most. */
export function slowest(redact: (text: string) => unknown): Slowest {
  let worst: Slowest = { shape: "", ms: 0, growth: 0 };
  for (const { name, ofLength } of shapes()) {
    const text = ofLength(CHARS);
    if (cpuOf(redact, text) < WORTH_COMPARING_MS) continue;
    const ms = lowestOf(redact, text);
    if (ms < WORTH_COMPARING_MS) continue;
    const growth = lowestOf(redact, ofLength(4 * CHARS)) / ms;
    if (growth > worst.growth) worst = { shape: name, ms, growth };
  }
  return worst;
}

/** `aaa…`, `ababab…` and `aaa…bbb…`: the last is where what may begin at every a is looked for through all b. */
function* shapes(): Generator<Shape> {
  for (const unit of UNITS) yield repeated(unit);
  for (const [at, unit] of UNITS.entries())
    for (const other of UNITS.slice(at + 1)) yield repeated(unit + other);
  for (const unit of UNITS)
    for (const other of UNITS) if (unit !== other) yield oneAfterTheOther(unit, other);
}

function repeated(unit: string): Shape {
  return { name: `${JSON.stringify(unit)} repeated`, ofLength: (chars) => fill(unit, chars) };
}

function oneAfterTheOther(unit: string, other: string): Shape {
  return {
    name: `${JSON.stringify(unit)} repeated, then ${JSON.stringify(other)}`,
    ofLength: (chars) => fill(unit, chars / 2) + fill(other, chars / 2),
  };
}

const fill = (unit: string, chars: number) => unit.repeat(Math.ceil(chars / unit.length));

/** Of three: something else may run meanwhile. */
function lowestOf(redact: (text: string) => unknown, text: string): number {
  return Math.min(...[0, 1, 2].map(() => cpuOf(redact, text)));
}

function cpuOf(redact: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  redact(text);
  return process.cpuUsage(before).user / 1000;
}
