/**
 * Checkpoints of what your own collectors see, and at the moments when work would hurt most to lose.
 *
 * @example
 * import { autoCheckpoints, capture } from "cairn-checkpoint/capture";
 *
 * const queue = { name: "queue", collect: async () => ({ queue_length: await queueLength() }) };
 * await capture(trail, [queue], { notes: "before deploy" });
 * await autoCheckpoints(trail).taskCompleted("2");
 *
 * @packageDocumentation
 */
export { autoCheckpoints, type AutoCheckpoints } from "../state/auto.ts";
export {
  capture,
  type CaptureOptions,
  type Captured,
  type CollectContext,
  type Collector,
} from "./capture.ts";
