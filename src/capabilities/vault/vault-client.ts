import type { Environment } from "../../work/machine/environment.ts";
import { CheckpointError, type ErrorCode } from "../../core/errors.ts";
import { asList, own, parseJson } from "../../core/text/untrusted.ts";

export interface VaultOptions {
  /** As in `https://vault.example:8200`. */
  readonly address: string;
  readonly namespace?: string | undefined;
  readonly login: { readonly token: string } | { readonly roleId: string; readonly secretId: string };
  readonly timeoutMs?: number;
  readonly now: () => Date;
}

const TIMEOUT_MS = 5_000;

/** A Vault or an OpenBao, as far as governance needs one. Never prints or keeps a secret. */
export class VaultClient {
  readonly #options: VaultOptions;
  #token: string | undefined;
  /** When the token should be made to last longer. How long a given one lasts is known once it was renewed. */
  #renewAtMs = 0;

  constructor(options: VaultOptions) {
    this.#options = options;
    if ("token" in options.login) this.#token = options.login.token;
  }

  /** Whether it can be used now, in its own words. Never throws for a state that Vault documents. */
  async health(): Promise<{ status: VaultStatus; version?: string }> {
    const { status, body } = await this.#fetch("GET", "sys/health");
    const version = own(body, "version");
    const known = HEALTH[status];
    if (known === undefined) throw problem(status, body, "sys/health");
    return { status: known, ...(typeof version === "string" ? { version } : {}) };
  }

  /** One value of a secret in a KV store of version 2, mounted as `secret`. */
  async readSecret(path: string, key: string): Promise<string> {
    const answer = await this.#request("GET", `secret/data/${encodePath(path)}`);
    const value = within(answer, "data", "data", key);
    if (typeof value === "string") return value;
    throw new CheckpointError("not-found", `The secret "${path}" has no text called "${key}".`, {
      hint: "A reference is secret://PATH#KEY.",
      details: { path, key },
    });
  }

  /** The newest public key of a Transit key of type ed25519, in base64. */
  async publicKey(name: string): Promise<string> {
    const data = own(await this.#request("GET", `transit/keys/${encodePath(name)}`), "data");
    const newest = within(data, "keys", String(own(data, "latest_version")), "public_key");
    if (own(data, "type") === "ed25519" && typeof newest === "string") return newest;
    throw new CheckpointError("usage", `The Transit key "${name}" is not of type ed25519.`, {
      hint: `vault write -f transit/keys/${name} type=ed25519`,
    });
  }

  /** Signs with a Transit key. Returns the bare signature in base64. */
  async sign(name: string, text: string): Promise<string> {
    const input = Buffer.from(text).toString("base64");
    return (await this.#transit("sign", name, { input }, "signature")).replace(/^\w+:v\d+:/, "");
  }

  /** Encrypts with a Transit key. The result names the key's version, as Vault needs it to decrypt. */
  async encrypt(name: string, bytes: Uint8Array): Promise<string> {
    const plaintext = Buffer.from(bytes).toString("base64");
    return this.#transit("encrypt", name, { plaintext }, "ciphertext");
  }

  /** Decrypts what `encrypt` returned. */
  async decrypt(name: string, ciphertext: string): Promise<Uint8Array> {
    return Buffer.from(await this.#transit("decrypt", name, { ciphertext }, "plaintext"), "base64");
  }

  async writePolicy(name: string, policy: string): Promise<void> {
    await this.#request("PUT", `sys/policies/acl/${encodePath(name)}`, { policy });
  }

  async #transit(what: string, name: string, body: object, field: string): Promise<string> {
    const answer = await this.#request("POST", `transit/${what}/${encodePath(name)}`, body);
    return String(within(answer, "data", field));
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const token = await this.#liveToken();
    const answer = await this.#fetch(method, path, { token, body });
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw problem(answer.status, answer.body, path);
  }

  /** The token, renewed when two thirds of its time are over. One that cannot be renewed is used as long as it lasts. */
  async #liveToken(): Promise<string> {
    const known = this.#token;
    if (known === undefined) return (this.#token = await this.#logIn());
    if (this.#options.now().getTime() < this.#renewAtMs) return known;
    const { status, body } = await this.#fetch("POST", "auth/token/renew-self", { token: known, body: {} });
    if (status === 403 && !("token" in this.#options.login)) return (this.#token = await this.#logIn());
    this.#noteLease(body);
    return known;
  }

  #noteLease(answer: unknown): void {
    const seconds = Number(within(answer, "auth", "lease_duration") ?? 0);
    const leftMs = seconds > 0 ? seconds * 1000 : Infinity;
    this.#renewAtMs = this.#options.now().getTime() + (leftMs * 2) / 3;
  }

  async #logIn(): Promise<string> {
    const { login } = this.#options;
    if ("token" in login) return login.token;
    const body = { role_id: login.roleId, secret_id: login.secretId };
    const answer = await this.#fetch("POST", "auth/approle/login", { body });
    const token = within(answer.body, "auth", "client_token");
    this.#noteLease(answer.body);
    if (answer.status === 200 && typeof token === "string") return token;
    throw problem(answer.status, answer.body, "auth/approle/login");
  }

  async #fetch(
    method: string,
    path: string,
    { token, body }: { token?: string; body?: object | undefined } = {},
  ): Promise<{ status: number; body: unknown }> {
    const { address, namespace, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      const answer = await fetch(new URL(`/v1/${path}`, address), {
        method,
        // A redirect could carry the token to another host.
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          "content-type": "application/json",
          "x-vault-request": "true",
          ...(token === undefined ? {} : { "x-vault-token": token }),
          ...(namespace === undefined ? {} : { "x-vault-namespace": namespace }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: parseJson(await answer.text()) };
    } catch (cause) {
      throw unreachable(address, cause);
    }
  }
}

export type VaultStatus = "active" | "standby" | "not initialised" | "sealed" | "recovery";

/** What Vault and OpenBao document for sys/health. */
const HEALTH: Readonly<Record<number, VaultStatus>> = {
  200: "active",
  429: "standby",
  472: "recovery",
  473: "standby",
  501: "not initialised",
  503: "sealed",
};

/** A client for the server that the user's environment names; undefined if it names none. */
export function vaultFrom(env: Environment, now: () => Date): VaultClient | undefined {
  const address = env["VAULT_ADDR"] || env["BAO_ADDR"];
  if (!address) return undefined;
  const namespace = env["VAULT_NAMESPACE"] || env["BAO_NAMESPACE"] || undefined;
  const token = env["VAULT_TOKEN"] || env["BAO_TOKEN"];
  const roleId = env["VAULT_ROLE_ID"];
  const secretId = env["VAULT_SECRET_ID"];
  if (roleId && secretId) return new VaultClient({ address, namespace, now, login: { roleId, secretId } });
  if (token) return new VaultClient({ address, namespace, now, login: { token } });
  throw new CheckpointError("missing-dependency", `There is no login for the vault at "${address}".`, {
    hint: "Set $VAULT_TOKEN, or $VAULT_ROLE_ID and $VAULT_SECRET_ID.",
  });
}

const within = (value: unknown, ...path: readonly string[]) => path.reduce<unknown>(own, value);

/** Paths may come from a remote: one that leads elsewhere would carry the user's token there. */
function encodePath(path: string): string {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    throw new CheckpointError("refused", `"${path}" is no path of a vault.`, { details: { path } });
  return parts.map(encodeURIComponent).join("/");
}

function problem(status: number, body: unknown, path: string): CheckpointError {
  const errors = asList(own(body, "errors")).map(String);
  const said = errors.length > 0 ? `: ${errors.join("; ").slice(0, 300)}` : "";
  const [code, what, hint] = PROBLEMS[status] ?? ["failed", "failed", "Look into the server's own log."];
  return new CheckpointError(code, `The vault ${what} (${status} for ${path})${said}.`, {
    hint,
    details: { status, path },
  });
}

const PROBLEMS: Readonly<Record<number, readonly [ErrorCode, string, string]>> = {
  400: ["usage", "did not understand the request", "The key or path may not exist, or be of another kind."],
  403: ["refused", "refused: expired, or not allowed", "Log in again, or: checkpoint vault policies"],
  404: ["not-found", "has nothing there", "Check the path, and that the engine is mounted."],
  429: ["failed", "has been asked too often", "Try again in a moment."],
  473: ["missing-dependency", "is on standby", "Use the address of the active server."],
  501: ["missing-dependency", "is not initialised", "vault operator init"],
  503: ["missing-dependency", "is sealed or under maintenance", "To unseal it: vault operator unseal"],
};

function unreachable(address: string, error: unknown): CheckpointError {
  const { cause, name } = error as { cause?: { code?: string }; name?: string };
  const code = name === "TimeoutError" ? "no answer in time" : (cause?.code ?? "no connection");
  const isTls = /CERT|TLS|SSL|SELF_SIGNED|ALTNAME|ISSUER/.test(code);
  return new CheckpointError("missing-dependency", `The vault at "${address}" cannot be used: ${code}.`, {
    hint: isTls
      ? "Its certificate is not trusted. If the CA is your own, name its file in $NODE_EXTRA_CA_CERTS."
      : "Everything else works without it.",
    details: { address, code },
    cause: error,
  });
}
