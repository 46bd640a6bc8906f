/** A text as the regression sees it: its features, its true count, and how much it matters. */
export interface Sample {
  readonly features: ArrayLike<number>;
  readonly tokens: number;
  readonly weight: number;
}

export interface Fit {
  /** What each weight is drawn to where the data says nothing: rare scripts must not come out free. */
  readonly prior: readonly number[];
  /** What no weight may be below. */
  readonly floor: readonly number[];
  /** How many times worse an estimate that is too low is than one that is too high. */
  readonly asymmetry: number;
}

const SWEEPS = 1500;
const REWEIGHTINGS = 12;
const PULL = 2e-6;

/**
 * Least squares with a floor on the relative error, by coordinate descent. With an asymmetry the samples that
 * come out too low are weighed up and the fit repeated: that gives an expectile, a line above most samples.
 */
export function fitWeights(samples: readonly Sample[], { prior, floor, asymmetry }: Fit): number[] {
  let weights = [...prior];
  let emphasis = samples.map(() => 1);
  for (let round = 0; round < (asymmetry === 1 ? 1 : REWEIGHTINGS); round += 1) {
    weights = leastSquares(samples, emphasis, prior, floor);
    emphasis = samples.map((sample) => (estimate(sample.features, weights) < sample.tokens ? asymmetry : 1));
  }
  return weights;
}

export function estimate(features: ArrayLike<number>, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * features[index]!, 0);
}

function leastSquares(
  samples: readonly Sample[],
  emphasis: readonly number[],
  prior: readonly number[],
  floor: readonly number[],
): number[] {
  const size = prior.length;
  const gram = Array.from({ length: size }, () => new Float64Array(size));
  const target = new Float64Array(size);
  for (const [at, { features, tokens, weight }] of samples.entries()) {
    const scale = (weight * emphasis[at]!) / tokens ** 2;
    for (let row = 0; row < size; row += 1) {
      if (features[row] === 0) continue;
      target[row]! += scale * features[row]! * tokens;
      for (let column = 0; column < size; column += 1)
        gram[row]![column]! += scale * features[row]! * features[column]!;
    }
  }
  const weights = [...prior];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (let row = 0; row < size; row += 1) {
      let rest = target[row]! + PULL * prior[row]!;
      for (let column = 0; column < size; column += 1) {
        if (column !== row) rest -= gram[row]![column]! * weights[column]!;
      }
      weights[row] = Math.max(floor[row]!, rest / (gram[row]![row]! + PULL));
    }
  }
  return weights;
}
