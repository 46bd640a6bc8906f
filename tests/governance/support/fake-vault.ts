import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";

/**
 * A server that answers as the documentation of Vault and OpenBao says, because neither can be installed where these
 * tests run: https://developer.hashicorp.com/vault/api-docs and https://openbao.org/api-docs.
 */
export class FakeVault {
  token = "hvs.root";
  isRenewable = true;
  readonly secrets = new Map<string, Record<string, string>>();
  readonly policies = new Map<string, string>();
  /** Tokens beside the root's, and the policies that each has. */
  readonly tokens = new Map<string, readonly string[]>();
  readonly requests: string[] = [];
  state: "active" | "standby" | "sealed" | "uninitialised" | "busy" | "expired" | "hanging" = "active";
  /** The oldest version of the key `remotes` that still decrypts. */
  minDecryptionVersion = 1;
  readonly #key = generateKeyPairSync("ed25519");
  /** The versions of the key `remotes`, the newest last. */
  readonly #wrapping = [randomBytes(32)];
  #close: (() => void) | undefined;
  address = "";

  async start(tls?: { readonly key: string; readonly cert: string }): Promise<void> {
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response);
    const server = tls === undefined ? createPlain(answer) : createSecure(tls, answer);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.address = `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#close = () => {
      server.closeAllConnections();
      server.close();
    };
  }

  /** Whoever logged in before has to do it again. */
  revokeLogin(): void {
    this.token = `${this.token}.next`;
  }

  stop(): void {
    this.#close?.();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Record<string, string>;
    const path = (request.url ?? "").replace(/^\/v1\//, "");
    this.requests.push(`${request.method} ${path}`);
    if (this.state === "hanging") return;
    const [status, answer] = this.#route(request, path, body);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(answer === undefined ? "" : JSON.stringify(answer));
  }

  #route(request: IncomingMessage, path: string, body: Record<string, string>): [number, unknown?] {
    if (path === "sys/health")
      return [HEALTH[this.state] ?? 200, { version: "1.20.0", sealed: this.state === "sealed" }];
    if (this.state === "sealed") return [503, { errors: ["Vault is sealed"] }];
    if (this.state === "busy") return [429, { errors: ['request path "x": rate limit quota exceeded'] }];
    if (path === "auth/approle/login")
      return body["role_id"] === "role" && body["secret_id"] === "secret"
        ? [200, { auth: { client_token: this.token, lease_duration: 1200, renewable: true } }]
        : [400, { errors: ["invalid role or secret ID"] }];
    const token = String(request.headers["x-vault-token"]);
    const isAllowed = token === this.token || this.#mayUse(token, request.method ?? "", path);
    if (!isAllowed || this.state === "expired") return [403, { errors: ["permission denied"] }];
    if (path === "auth/token/renew-self" && !this.isRenewable)
      return [400, { errors: ["lease is not renewable"] }];
    if (path === "auth/token/renew-self") return [200, { auth: { lease_duration: 3600 } }];
    return this.#engine(request.method ?? "", path, body);
  }

  /** Of all rules of a token's policies that match a path, the most exact one counts; what none matches is denied. */
  #mayUse(token: string, method: string, path: string): boolean {
    const names = this.tokens.get(token);
    if (names === undefined) return false;
    // Every token has these, by the policy "default".
    if (/^auth\/token\/(renew|lookup)-self$/.test(path)) return true;
    const rules = names.flatMap((name) => [
      ...(this.policies.get(name) ?? "").matchAll(/path "([^"]+)" \{\s*capabilities = \[([^\]]*)\]/g),
    ]);
    const matching = rules
      .filter(([, pattern = ""]) =>
        pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
      )
      .toSorted(([, one = ""], [, other = ""]) => other.length - one.length);
    const [, , capabilities = ""] = matching[0] ?? [];
    const needed = { GET: "read", LIST: "list", DELETE: "delete" }[method] ?? "update";
    return capabilities.includes(`"${needed}"`);
  }

  #engine(method: string, path: string, body: Record<string, string>): [number, unknown?] {
    if (method === "PUT" && path.startsWith("sys/policies/acl/")) {
      this.policies.set(path.slice("sys/policies/acl/".length), body["policy"] ?? "");
      return [204];
    }
    const secret = this.secrets.get(path);
    if (path.startsWith("secret/data/"))
      return secret === undefined
        ? [404, { errors: [] }]
        : [200, { data: { data: secret, metadata: { version: 1 } } }];
    if (path === "transit/keys/cairn") {
      const bare = this.#key.publicKey
        .export({ format: "der", type: "spki" })
        .subarray(-32)
        .toString("base64");
      return [200, { data: { type: "ed25519", latest_version: 1, keys: { "1": { public_key: bare } } } }];
    }
    if (path === "transit/keys/rsa")
      return [200, { data: { type: "rsa-2048", latest_version: 1, keys: {} } }];
    const input = Buffer.from(body["input"] ?? body["plaintext"] ?? "", "base64");
    if (path === "transit/sign/cairn")
      return [
        200,
        { data: { signature: `vault:v1:${sign(null, input, this.#key.privateKey).toString("base64")}` } },
      ];
    if (path === "transit/encrypt/cairn")
      return [200, { data: { ciphertext: `vault:v1:${input.toString("hex")}` } }];
    return this.#wrap(path, input, body["ciphertext"] ?? "");
  }

  /** A Transit key of type aes256-gcm96, called `remotes`. */
  #wrap(path: string, input: Buffer, ciphertext: string): [number, unknown?] {
    if (path === "transit/keys/remotes/rotate") {
      this.#wrapping.push(randomBytes(32));
      return [200, {}];
    }
    if (path === "transit/encrypt/remotes") {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", this.#wrapping.at(-1) as Buffer, nonce);
      const sealed = Buffer.concat([nonce, cipher.update(input), cipher.final(), cipher.getAuthTag()]);
      const version = this.#wrapping.length;
      return [200, { data: { ciphertext: `vault:v${version}:${sealed.toString("base64")}` } }];
    }
    if (path !== "transit/decrypt/remotes") return [404, { errors: [] }];
    const [, version = "", text = ""] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? [];
    const key = this.#wrapping[Number(version) - 1];
    if (key === undefined) return [400, { errors: ["invalid ciphertext: no prefix"] }];
    if (Number(version) < this.minDecryptionVersion)
      return [400, { errors: ["ciphertext or signature version is disallowed by policy (too old)"] }];
    const sealed = Buffer.from(text, "base64");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12)).setAuthTag(
        sealed.subarray(-16),
      );
      const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      return [200, { data: { plaintext: plain.toString("base64") } }];
    } catch {
      return [400, { errors: ["cipher: message authentication failed"] }];
    }
  }
}

const HEALTH: Readonly<Record<string, number>> = { standby: 429, sealed: 503, uninitialised: 501 };
