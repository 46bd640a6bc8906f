import type { Redactor } from "../../../core/redaction/redactor.ts";
import type { LeftOutWhy } from "../snapshot/snapshot-file.ts";

const MB = 1024 * 1024;
const LARGEST = { untracked: 5 * MB, tracked: 20 * MB } as const;

/** Larger texts are not searched for secrets: that takes a third of a second a megabyte. */
const LARGEST_SEARCHED = MB;

/** Names of files that hold secrets. What shows others how to write one is none. */
const SECRET_NAME =
  /^(?:\.env(?:\..*|rc)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|id_(?:rsa|dsa|ecdsa|ed25519)|\.npmrc|\.netrc|_netrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|credentials(?:\.[a-z]+)?|service-account.*\.json)$/i;
const EXAMPLE_NAME = /\.(?:example|sample|template|dist)$/i;

/** Why a file's content is not to be stored, as far as name and size tell. */
export function whyLeftOut(path: string, size: number, isTracked: boolean): LeftOutWhy | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (SECRET_NAME.test(name) && !EXAMPLE_NAME.test(name)) return "secret";
  return size > LARGEST[isTracked ? "tracked" : "untracked"] ? "large" : undefined;
}

/** Whether an untracked text holds a secret. What HEAD holds is in the repository already. */
export function holdsSecret(content: Buffer, redactor: Redactor): boolean {
  if (content.length > LARGEST_SEARCHED || content.includes(0)) return false;
  return redactor.redactText(content.toString("utf8")).findings.length > 0;
}
