// node scripts/draw-icon.ts: draws the plugin's icon, a cairn of four stones, and writes it as a PNG.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const FILE = "plugin/.claude-plugin/icon.png";
const SIZE = 512;
/** Each pixel is the mean of so many points in each direction, which makes edges smooth. */
const POINTS = 4;

type Colour = readonly [red: number, green: number, blue: number];

interface Stone {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly tilt: number;
  readonly colour: Colour;
}

const SKY: Colour = [22, 32, 46];
const GROUND: Colour = [34, 48, 66];
const HORIZON = 424;

/** From the ground up. */
const STONES: readonly Stone[] = [
  { x: 256, y: 376, width: 300, height: 104, tilt: 0, colour: [122, 139, 158] },
  { x: 246, y: 284, width: 224, height: 92, tilt: -0.05, colour: [150, 166, 182] },
  { x: 264, y: 206, width: 158, height: 74, tilt: 0.07, colour: [181, 194, 206] },
  { x: 252, y: 143, width: 92, height: 60, tilt: -0.06, colour: [245, 190, 92] },
];

writeFileSync(FILE, png(SIZE, drawPixels()));

function drawPixels(): Uint8Array {
  const pixels = new Uint8Array(SIZE * SIZE * 3);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) pixels.set(pixelAt(x, y), (y * SIZE + x) * 3);
  }
  return pixels;
}

function pixelAt(x: number, y: number): number[] {
  const sum = [0, 0, 0];
  for (let point = 0; point < POINTS * POINTS; point++) {
    const colour = colourAt(
      x + ((point % POINTS) + 0.5) / POINTS,
      y + (Math.floor(point / POINTS) + 0.5) / POINTS,
    );
    colour.forEach((value, channel) => (sum[channel]! += value));
  }
  return sum.map((value) => Math.round(value / (POINTS * POINTS)));
}

function colourAt(x: number, y: number): Colour {
  for (const stone of STONES.toReversed()) {
    const [across, down] = within(stone, x, y);
    // Between a circle and a square: a pebble.
    if (Math.abs(across) ** 2.6 + Math.abs(down) ** 2.6 <= 1) return shaded(stone.colour, down);
  }
  return y < HORIZON ? SKY : GROUND;
}

/** Where a point is in a stone: from -1 to 1 in each direction. */
function within({ x, y, width, height, tilt }: Stone, px: number, py: number): [number, number] {
  const [dx, dy] = [px - x, py - y];
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  return [(dx * cos + dy * sin) / (width / 2), (dy * cos - dx * sin) / (height / 2)];
}

/** Lighter above, darker below. */
function shaded([red, green, blue]: Colour, down: number): Colour {
  const light = 1 - 0.22 * Math.max(0, down) + 0.06 * Math.max(0, -down);
  return [Math.min(255, red * light), Math.min(255, green * light), Math.min(255, blue * light)];
}

function png(size: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits for each of three channels.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: size }, (_, y) => [
    Buffer.of(0),
    pixels.subarray(y * size * 3, (y + 1) * size * 3),
  ]);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
