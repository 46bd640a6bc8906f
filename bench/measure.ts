/** What one operation cost each time it ran, in microseconds. */
export class Samples {
  readonly wall: number[] = [];
  readonly cpu: number[] = [];

  /** Runs an operation and notes its wall time and the CPU time that this process spent meanwhile, all threads. */
  async time<Result>(operation: () => Result | Promise<Result>): Promise<Result> {
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    const result = await operation();
    const wall = (performance.now() - started) * 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    this.wall.push(wall);
    this.cpu.push(user + system);
    return result;
  }

  get p50(): number {
    return percentile(this.wall, 0.5);
  }

  get p99(): number {
    return percentile(this.wall, 0.99);
  }

  get cpuP50(): number {
    return percentile(this.cpu, 0.5);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The slope of a straight line through the logarithms: 1 means that twice the steps cost twice the bytes. */
export function growthExponent(
  points: readonly { readonly steps: number; readonly bytes: number }[],
): number {
  const xs = points.map(({ steps }) => Math.log(steps));
  const ys = points.map(({ bytes }) => Math.log(bytes));
  const meanX = mean(xs);
  const meanY = mean(ys);
  const covariance = mean(xs.map((x, at) => (x - meanX) * ((ys[at] as number) - meanY)));
  return covariance / mean(xs.map((x) => (x - meanX) ** 2));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
