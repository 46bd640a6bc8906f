import { createHash } from "node:crypto";

/** One attempt of a step, as the queue knows it: enough to find it in the store, and nothing else. */
export interface Job {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
}

/** `run/step/attempt`. Only the step may contain slashes. */
export const jobText = ({ run, step, attempt }: Job): string => `${run}/${step}/${attempt}`;

export function parseJob(text: string): Job | undefined {
  const parts = text.split("/");
  const attempt = Number(parts.at(-1));
  if (parts.length < 3 || !Number.isSafeInteger(attempt) || attempt < 1) return undefined;
  return { run: parts[0]!, step: parts.slice(1, -1).join("/"), attempt };
}

/** Made once, for this purpose only. */
const NAMESPACE = Buffer.from("5a8c1f0e6f0b4d5e9d3b7c2a41e6f980", "hex");

/** The same attempt always has the same id (UUID version 5), so that putting it into the queue twice puts it there once. */
export function jobId(job: Job): string {
  const bytes = createHash("sha1").update(NAMESPACE).update(jobText(job)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
