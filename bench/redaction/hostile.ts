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

/** Of how many shapes it is seen how their time grows: one that grows faster than its text is among the slowest long before. */
const COMPARED = 50;

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

/** Tries each unit and each two of them, in turn and one after the other, and returns the one of the slowest whose time grows most. */
export function slowest(redact: (text: string) => unknown): Slowest {
  const tried = [...shapes()].map((shape) => ({ shape, ms: cpuOf(redact, shape.ofLength(CHARS)) }));
  const compared = tried.toSorted((a, b) => b.ms - a.ms).slice(0, COMPARED);
  const grown = compared.map(({ shape: { name, ofLength } }): Slowest => {
    const ms = lowestOf(redact, ofLength(CHARS));
    return { shape: name, ms, growth: lowestOf(redact, ofLength(4 * CHARS)) / ms };
  });
  return grown.reduce((worst, each) => (each.growth > worst.growth ? each : worst));
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
