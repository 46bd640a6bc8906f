import { isRecord } from "../../../core/text/untrusted.ts";
import type { EntryType } from "./entry.ts";

const isText = (value: unknown) => typeof value === "string";
const isTier = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 4;
const isSignature = (value: unknown) => isRecord(value) && isText(value["key"]) && isText(value["signature"]);
const ifAny = (isRight: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || isRight(value);

const isNumbered = (value: unknown) => isRecord(value) && Number.isSafeInteger(value["number"]);
const areHeads = (value: unknown) => Array.isArray(value) && value.every(isNumbered);
const isHead = (value: unknown) => isRecord(value) && ifAny(areHeads)(value["trails"]);

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

/** What is read of every entry. */
const COMMON: Fields = {
  at: isText,
  agent: isText,
  serial: ifAny(Number.isSafeInteger),
  on: ifAny(isRecord),
  authority: ifAny(isSignature),
};

/** What is read of each type of entry, besides. */
const FIELDS: Readonly<Record<EntryType, Fields>> = {
  action: { action: isText, approval: ifAny(isText), digest: ifAny(isText) },
  violation: {
    rule: isText,
    what: isText,
    action: ifAny(isText),
    checkpoint: ifAny(isText),
    entry: ifAny(Number.isSafeInteger),
    trail: ifAny(isText),
  },
  registration: { token: isText },
  promotion: { to: isTier },
  demotion: { to: isTier },
  revocation: {},
  restoration: { to: isTier },
  request: { id: isText, action: isText, alias: ifAny(isText), digest: ifAny(isText) },
  approval: {
    request: isText,
    action: isText,
    alias: ifAny(isText),
    digest: ifAny(isText),
    expires: isText,
    by: ifAny(isText),
  },
  policy: { policy: isRecord, file: isText },
  authority: { public_key: isText },
  seal: { on: isHead, public_key: isText, state: isRecord, machine: isRecord },
  task: { trail: isText, task: isText, status: isText, subject: ifAny(isText) },
  start: { start: isText, action: isText, digest: isText },
  evidence: { evidence: isText, action: isText, digest: isText, start: ifAny(isText) },
};

/** Made once: every entry that is read is checked. */
const CHECKS = new Map(
  Object.entries(FIELDS).map(([type, fields]) => [type, Object.entries({ ...COMMON, ...fields })]),
);

/** Whether what a log holds has all that is read of an entry: anybody who can write to the store can put anything there. */
export function isEntry(raw: Readonly<Record<string, unknown>>): boolean {
  return CHECKS.get(raw["type"] as string)?.every(([name, isRight]) => isRight(raw[name])) ?? false;
}
