import { ROUNDS_AT, STATE_AT, WORDS_AT } from "./sha256-wasm.ts";

/**
 * The rounds of SHA-256 as WebAssembly, put together here from its instructions; sha256-wasm.ts holds what comes out.
 * V8 makes machine code of it in a third of a millisecond. JavaScript is slow, and makes garbage, until it is optimized.
 */
type Code = readonly number[];

/** A number in seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value % 128) + 128, ...unsigned(Math.floor(value / 128))];
}

function signed(value: number): Code {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const number = (value: number): Code => [0x41, ...signed(value | 0)];
const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];
const load = (offset: number, address: Code): Code => [...address, 0x28, 2, ...unsigned(offset)];
const store = (offset: number, address: Code, value: Code): Code => [
  ...address,
  ...value,
  0x36,
  2,
  ...unsigned(offset),
];
const operator =
  (code: number) =>
  (first: Code, ...others: readonly Code[]): Code => [
    ...first,
    ...others.flatMap((other) => [...other, code]),
  ];
const add = operator(0x6a);
const and = operator(0x71);
const or = operator(0x72);
const xor = operator(0x73);
const shiftRight = (value: Code, bits: number): Code => [...value, ...number(bits), 0x76];
const rotateLeft = (value: Code, bits: number): Code => [...value, ...number(bits), 0x77];
const rotate = (value: Code, bits: number): Code => [...value, ...number(bits), 0x78];
const rotations = (value: Code, ...bits: readonly [number, number, number]): Code =>
  xor(rotate(value, bits[0]), rotate(value, bits[1]), rotate(value, bits[2]));

const BEGIN_LOOP: Code = [0x03, 0x40];
const AGAIN_IF_LESS: Code = [0x49, 0x0d, 0];
const END_LOOP: Code = [0x0b];

/** Runs the body, goes on to the next step, and begins again while that is below the end. */
const repeat = (local: number, step: number, end: Code, body: Code): Code => [
  ...BEGIN_LOOP,
  ...body,
  ...set(local, add(get(local), number(step))),
  ...get(local),
  ...end,
  ...AGAIN_IF_LESS,
  ...END_LOOP,
];

const [AT, END, I, A, B, C, D, E, F, G, H, FIRST] = Array.from({ length: 12 }, (_, local) => local) as [
  ...[number, number, number, number, number, number, number, number, number, number, number, number],
];
const STATE = [A, B, C, D, E, F, G, H];

/** FIPS 180-4, 6.2.2, for each block from AT to END. */
function rounds(): Code {
  const [a, b, c, e, f, g] = [A, B, C, E, F, G].map(get) as [Code, Code, Code, Code, Code, Code];
  const i = get(I);
  const read = load(0, add(get(AT), i));
  const swapped = or(
    and(rotateLeft(read, 8), number(0x00ff00ff)),
    and(rotateLeft(read, 24), number(0xff00ff00)),
  );
  const word = (back: number) => load(WORDS_AT - 4 * back, i);
  const next = add(
    word(16),
    xor(rotate(word(15), 7), rotate(word(15), 18), shiftRight(word(15), 3)),
    word(7),
    xor(rotate(word(2), 17), rotate(word(2), 19), shiftRight(word(2), 10)),
  );
  const choice = xor(and(e, f), and(xor(e, number(-1)), g));
  const majority = xor(and(a, b), and(a, c), and(b, c));
  const first = add(get(H), rotations(e, 6, 11, 25), choice, load(ROUNDS_AT, i), load(WORDS_AT, i));
  const round = [
    ...set(FIRST, first),
    ...set(H, add(get(FIRST), rotations(a, 2, 13, 22), majority)),
    ...set(D, add(get(D), get(FIRST))),
    // What was computed into H becomes A, and every other moves on by one.
    ...STATE.flatMap((local) => get(local)),
    ...[A, H, G, F, E, D, C, B].flatMap((local) => [0x21, local]),
  ];
  const block = [
    ...set(I, number(0)),
    ...repeat(I, 4, number(64), store(WORDS_AT, i, swapped)),
    ...repeat(I, 4, number(256), store(WORDS_AT, i, next)),
    ...STATE.flatMap((local, index) => set(local, load(STATE_AT + 4 * index, number(0)))),
    ...set(I, number(0)),
    ...repeat(I, 4, number(256), round),
    ...STATE.flatMap((local, index) => {
      const offset = STATE_AT + 4 * index;
      return store(offset, number(0), add(load(offset, number(0)), get(local)));
    }),
  ];
  return repeat(AT, 64, get(END), block);
}

const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (code: Code): Code => [...unsigned(code.length), ...code];
const section = (id: number, items: readonly Code[]): Code => [id, ...sized(vector(items))];
const name = (text: string): Code => sized([...Buffer.from(text)]);

/** What each module begins with: its name, and the version of the format. */
const HEADER: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** A module with a memory, `memory`, and a function, `rounds(start, end)`. */
export function sha256Code(): Uint8Array<ArrayBuffer> {
  const [i32, func, none] = [0x7f, 0x60, 0x00];
  const locals = vector([[10, i32]]);
  return Uint8Array.from([
    ...HEADER,
    ...section(1, [[func, ...vector([[i32], [i32]]), none]]),
    ...section(3, [[0]]),
    ...section(5, [[none, 1]]),
    ...section(7, [
      [...name("memory"), 2, 0],
      [...name("rounds"), 0, 0],
    ]),
    ...section(10, [sized([...locals, ...rounds(), 0x0b])]),
  ]);
}
