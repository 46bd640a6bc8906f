import type { Samples } from "./measure.ts";

export function bytes(count: number): string {
  if (count < 10_000) return `${count.toFixed(0)} B`;
  if (count < 10_000_000) return `${(count / 1000).toFixed(0)} KB`;
  if (count < 10_000_000_000) return `${(count / 1e6).toFixed(1)} MB`;
  return `${(count / 1e9).toFixed(1)} GB`;
}

export function time(microseconds: number): string {
  if (microseconds < 10_000) return `${microseconds.toFixed(0)} µs`;
  if (microseconds < 10_000_000) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(1)} s`;
}

/** A time never stands without the CPU time that was spent for it. */
export function timeAndCpu(samples: Samples): string {
  return `${time(samples.p50)} (CPU ${time(samples.cpuP50)})`;
}
