import { createHash, generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { machineKey } from "../../../src/capabilities/governance/keys/machine-key.ts";
import {
  keyFingerprint,
  headText,
  signWith,
  statementText,
  type Signer,
} from "../../../src/capabilities/governance/keys/signature.ts";
import type { JsonObject } from "../../../src/core/objects/json.ts";

/** Where an attack happens: a copy of a governed project and of its user's home. */
export interface Scene {
  readonly home: string;
  readonly folder: string;
  readonly storeId: string;
  readonly owner: { env: Record<string, string>; userId: number | undefined };
}

export interface Attack {
  readonly name: string;
  readonly run: (scene: Scene) => void | Promise<void>;
  /** What the attacker's programs are started with afterwards. */
  readonly env?: Record<string, string>;
}

type Row = { number: number; entry: string; hash: Uint8Array };

export function withStore<Result>({ folder }: Scene, use: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(join(folder, ".cairn/store.sqlite"));
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const rowsOf = (db: DatabaseSync) =>
  db.prepare("SELECT number, entry, hash FROM log ORDER BY number").all() as unknown as Row[];

export const entriesOf = (db: DatabaseSync) => rowsOf(db).map(({ entry }) => JSON.parse(entry) as JsonObject);

/** Writes the whole log again, with hashes that fit: anybody who can write the file can do that. */
export function rewrite(scene: Scene, change: (entries: JsonObject[]) => JsonObject[]): void {
  withStore(scene, (db) => {
    const entries = change(entriesOf(db));
    db.exec("BEGIN; DELETE FROM log");
    let before = scene.storeId;
    entries.forEach((entry, at) => {
      const text = JSON.stringify(entry);
      before = createHash("sha256").update(`${before}\n${text}`).digest("hex");
      db.prepare("INSERT INTO log(number, entry, hash) VALUES (?, ?, ?)").run(
        at + 1,
        text,
        Buffer.from(before, "hex"),
      );
    });
    db.exec("COMMIT");
  });
}

export const append =
  (make: (entries: readonly JsonObject[], scene: Scene) => JsonObject) =>
  (scene: Scene): void =>
    rewrite(scene, (entries) => [...entries, make(entries, scene)]);

const { privateKey, publicKey } = generateKeyPairSync("ed25519");

/** The attacker's own key. */
export const own: Signer = {
  publicKey: publicKey.export({ format: "pem", type: "spki" }) as string,
  sign: async (text) => signWith(privateKey, text),
};

/** Signs as the attacker, in the name of any key. */
export function selfSigned(scene: Scene, entry: JsonObject, key = keyFingerprint(own.publicKey)): JsonObject {
  const signature = signWith(privateKey, statementText(scene.storeId, { ...entry, authority: { key } }));
  return { ...entry, authority: { key, signature } };
}

const AT = "2026-11-17T00:00:00.000Z";

/** What comes next after all that the authority has signed, as a forger would number it. */
export function numbered(entries: readonly JsonObject[], said: JsonObject): JsonObject {
  const serial = entries.reduce((most, { serial: each }) => Math.max(most, Number(each ?? 0)), 0) + 1;
  return { at: AT, ...said, serial, on: { number: 1, hash: "0".repeat(64) } };
}

/** A seal that says what the attacker likes, signed with the machine's real key, which the account can read. */
export function forgedSeal(scene: Scene, change: (state: JsonObject) => void): void {
  const key = machineKey(scene.owner);
  let on = { number: 0, hash: scene.storeId };
  let state: JsonObject = {};
  withStore(scene, (db) => {
    const last = rowsOf(db).at(-1) as Row;
    on = { number: last.number, hash: Buffer.from(last.hash).toString("hex") };
    state = readState(entriesOf(db));
  });
  change(state);
  append(() => ({
    type: "seal",
    at: AT,
    agent: "cairn",
    on,
    public_key: key.publicKey,
    state,
    machine: key.sign(headText(scene.storeId, on, state)),
  }))(scene);
  // And points the user's own record at it.
  withStore(scene, (db) => {
    const last = rowsOf(db).at(-1) as Row;
    const head = { number: last.number, hash: Buffer.from(last.hash).toString("hex") };
    const pin = JSON.parse(readFileSync(pinOf(scene), "utf8")) as JsonObject;
    const signed = { ...head, ...key.sign(headText(scene.storeId, head)) };
    writeFileSync(pinOf(scene), JSON.stringify({ ...pin, head: signed, sealed: last.number }));
  });
}

/** The state that the entries give, as the attacker can compute it with the published code. */
let readState: (entries: readonly JsonObject[]) => JsonObject = () => ({});
export function useState(read: (entries: readonly JsonObject[]) => JsonObject): void {
  readState = read;
}

export function pinOf({ home }: Scene): string {
  const folder = join(home, ".local/state/cairn/governance");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".json")) as string);
}

export const keyFile = ({ home }: Pick<Scene, "home">, name: string) =>
  join(home, ".local/state/cairn/keys", name);

/** The file of the authority's key, which is named after the key. */
export function authorityFile(scene: Pick<Scene, "home">): string {
  const found = readdirSync(keyFile(scene, "")).find((name) => name.startsWith("authority-"));
  return keyFile(scene, found ?? "no authority key");
}
