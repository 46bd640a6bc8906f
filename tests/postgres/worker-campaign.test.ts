import { describe, expect, it } from "vitest";

import { findPostgres } from "./support/server.ts";
import { strikeWorkers } from "./support/worker-campaign.ts";

const programs = findPostgres();
const seed = Number(process.env["CAIRN_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

describe.skipIf(programs === undefined)(`workers that are killed, frozen and cut off (seed ${seed})`, () => {
  it("lose no step, run no completed step again, leave no run stuck, keep to limits and begin what is due once", async () => {
    // `npm run proof` strikes hundreds of times.
    const strikes = { kills: 30, freezes: 2, shutdowns: 1 };
    const result = await strikeWorkers({ programs: programs as string, workers: 3, seed, ...strikes });
    expect(result).toMatchObject(strikes);
    expect(result.runs).toBeGreaterThanOrEqual(3);
    expect(result.crashes).toBeGreaterThan(0);
    expect(result.scheduled).toBeGreaterThan(3);
    expect(result.atOnce).toBe(2);
  }, 300_000);
});
