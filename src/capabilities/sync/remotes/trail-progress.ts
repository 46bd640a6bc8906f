import type { Progress } from "../../../core/store/contract.ts";

/** Tells how far each trail is. */
export interface TrailProgress {
  readonly onProgress?: ((trail: string, done: number, total: number) => void) | undefined;
}

export function onTrail({ onProgress }: TrailProgress, trail: string): Progress {
  return { onProgress: (done, total) => onProgress?.(trail, done, total) };
}
