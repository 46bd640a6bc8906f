import { join } from "node:path";
import { parse } from "yaml";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { digestOf } from "../keys/signature.ts";
import { DEFAULT_POLICY, MAX_POLICY_BYTES, POLICY_FILE, type Policy } from "./policy.ts";
import { parsePolicy } from "./schema.ts";

/** The policy file, and the digest of its bytes. */
export function readPolicyFile(root: string): { policy: Policy; file: string } {
  const path = join(root, POLICY_FILE);
  const { bytes, problem } = readBounded(path, MAX_POLICY_BYTES);
  if (bytes === undefined)
    throw new CheckpointError("not-found", `"${path}" cannot be used: ${problem}.`, {
      hint: `Write it, beginning with what is in force: checkpoint policy show > ${POLICY_FILE}`,
      details: { path },
    });
  let value: unknown;
  try {
    value = parse(bytes.toString("utf8"), { maxAliasCount: 0 });
  } catch (cause) {
    throw notAPolicy(path, (cause as Error).message.split("\n")[0] as string, cause);
  }
  const parsed = parsePolicy(value, DEFAULT_POLICY);
  if ("problem" in parsed) throw notAPolicy(path, parsed.problem);
  return { policy: parsed.policy, file: digestOf(bytes) };
}

function notAPolicy(path: string, why: string, cause?: unknown): CheckpointError {
  return new CheckpointError("usage", `"${path}" is not a policy: ${why}.`, {
    hint: "docs/governance.md lists what a policy may say; checkpoint policy show prints the one in force.",
    details: { path },
    cause,
  });
}
