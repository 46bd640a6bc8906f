import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { S3Credentials } from "./s3-remote.ts";

/** The part of AWS's SDK that reads its files, roles and logins. An optional peer: most need only two variables. */
const PEER = "@aws-sdk/credential-provider-node";

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
  try {
    const { defaultProvider } = (await loadPeer()) as PeerModule;
    const { accessKeyId: id, secretAccessKey: secret, sessionToken } = await defaultProvider()();
    return { accessKeyId: id, secretAccessKey: secret, sessionToken };
  } catch (cause) {
    if (isCheckpointError(cause)) throw cause;
    throw new CheckpointError("refused", "No AWS profile, role or login gave credentials.", {
      hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
      cause,
    });
  }
}

async function loadPeer(): Promise<unknown> {
  const name: string = PEER;
  try {
    return await import(name);
  } catch (cause) {
    throw new CheckpointError("missing-dependency", "There are no credentials for S3 in the environment.", {
      hint: `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. For profiles and logins in AWS's own files: npm install ${PEER}`,
      cause,
    });
  }
}
