import { CheckpointError, packageMissing } from "../../../core/errors.ts";
import type { S3Credentials } from "./s3-remote.ts";

/** The part of AWS's SDK that reads its files, roles and logins. An optional peer: most need only two variables. */
const PEER = "@aws-sdk/credential-provider-node";
const NONE_HERE = `There are no credentials for S3: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and reading AWS's own files needs ${PEER}.`;

interface PeerModule {
  readonly defaultProvider: () => () => Promise<S3Credentials>;
}

/** Credentials from the environment, or from wherever AWS's own tools would take them. */
export async function s3Credentials(
  env: Readonly<Record<string, string | undefined>>,
): Promise<S3Credentials> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, sessionToken: env["AWS_SESSION_TOKEN"] || undefined };
  const name: string = PEER;
  const { defaultProvider } = (await import(name).catch(packageMissing(NONE_HERE, PEER))) as PeerModule;
  return defaultProvider()().catch((cause: unknown) => {
    throw new CheckpointError("refused", "No AWS profile, role or login gave credentials.", {
      hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
      cause,
    });
  });
}
