import { CheckpointError } from "../../errors.ts";
import type { S3Place } from "./s3-remote.ts";
import type { S3Answer } from "./s3-request.ts";

type Label = Pick<S3Place, "label">;

/** An answer that is neither what was asked for nor a lost race. */
export function unexpected({ label }: Label, answer: S3Answer, doing: string): CheckpointError {
  const { status } = answer;
  const code = /<Code>([^<]*)<\/Code>/.exec(answer.text())?.[1];
  const said = code === undefined ? `status ${status}` : `${code} (${status})`;
  const isRefused = status === 401 || status === 403;
  return new CheckpointError(
    isRefused ? "refused" : status === 404 ? "not-found" : "failed",
    `${label} answered ${said} when ${doing}.`,
    {
      hint: isRefused
        ? "Check the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE."
        : "Check the bucket's name, its region and its endpoint: checkpoint remote list",
      details: { status, remote: label },
    },
  );
}

export function unreachable({ label }: Label, cause?: unknown): CheckpointError {
  return new CheckpointError("failed", `${label} cannot be reached.`, {
    hint: "Everything is safe in the local store. Try again when the network is back.",
    details: { remote: label },
    cause,
  });
}

/** Stands for an answer that was lost on its way: the request may have done its work. */
export function nothingCame(_cause: unknown): S3Answer {
  return { status: 599, headers: new Headers(), bytes: new Uint8Array(0), text: () => "" };
}
