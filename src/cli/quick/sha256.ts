import { INPUT, ROOM, ROUNDS_AT, SHA256_CODE, STATE_AT } from "./sha256-wasm.ts";

/** The first 32 bits behind the point of the cube roots of the first 64 primes. */
// oxfmt-ignore
const ROUND = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The same of the square roots of the first 8. */
// oxfmt-ignore
const START = Int32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

interface Machine {
  readonly rounds: (start: number, end: number) => void;
  readonly state: Int32Array;
  readonly input: Uint8Array;
  readonly view: DataView;
}

let machine: Machine | undefined;

/** The part of the standard interface that is used. */
interface Assembly {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly?: Assembly };

/** Where this is false, as with `--jitless`, Node's own must be used. */
export const canHash = assembly !== undefined;

/** The SHA-256 (FIPS 180-4) of some bytes, in hex. */
export function sha256(bytes: Uint8Array): string {
  const { rounds, state, input, view } = (machine ??= start());
  state.set(START);
  let at = 0;
  for (; bytes.length - at >= ROOM; at += ROOM) {
    input.set(bytes.subarray(at, at + ROOM));
    rounds(INPUT, INPUT + ROOM);
  }
  const rest = bytes.length - at;
  // The bytes, a one, zeros, and how many bits there were: a whole number of blocks of 64 bytes.
  const end = Math.ceil((rest + 9) / 64) * 64;
  input.set(bytes.subarray(at));
  input.fill(0, rest, end);
  input[rest] = 0x80;
  view.setBigUint64(end - 8, BigInt(bytes.length) * 8n);
  rounds(INPUT, INPUT + end);
  for (const [index, word] of state.entries()) digest.writeInt32BE(word, 4 * index);
  return digest.toString("hex");
}

const digest = Buffer.alloc(32);

function start(): Machine {
  const { Module, Instance } = assembly as Assembly;
  const { exports } = new Instance(new Module(Buffer.from(SHA256_CODE, "base64")));
  const { memory, rounds } = exports as { memory: { buffer: ArrayBuffer }; rounds: Machine["rounds"] };
  new Int32Array(memory.buffer, ROUNDS_AT).set(ROUND);
  return {
    rounds,
    state: new Int32Array(memory.buffer, STATE_AT, START.length),
    input: new Uint8Array(memory.buffer, INPUT, ROOM + 128),
    view: new DataView(memory.buffer, INPUT),
  };
}
