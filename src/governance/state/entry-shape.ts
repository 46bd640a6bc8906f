import { isRecord } from "../../text/untrusted.ts";
import type { LedgerEntry } from "./entry.ts";

const isText = (value: unknown) => typeof value === "string";
const isTextIfAny = (value: unknown) => value === undefined || isText(value);
const isNumberIfAny = (value: unknown) => value === undefined || Number.isSafeInteger(value);
const isTier = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 4;
const isSignatureIfAny = (value: unknown) =>
  value === undefined || (isRecord(value) && isText(value["key"]) && isText(value["signature"]));

const isRecordIfAny = (value: unknown) => value === undefined || isRecord(value);

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

/** What is read of every entry. */
const COMMON: Fields = {
  at: isText,
  agent: isText,
  serial: isNumberIfAny,
  on: isRecordIfAny,
  authority: isSignatureIfAny,
};

/** What is read of each type of entry, besides. */
const FIELDS: Readonly<Record<LedgerEntry["type"], Fields>> = {
  action: { action: isText, approval: isTextIfAny, digest: isTextIfAny },
  violation: { rule: isText, what: isText, entry: isNumberIfAny },
  registration: { token: isText },
  promotion: { to: isTier },
  demotion: { to: isTier },
  revocation: {},
  restoration: { to: isTier },
  request: { id: isText, action: isText, alias: isTextIfAny, digest: isTextIfAny },
  approval: { request: isText, action: isText, alias: isTextIfAny, digest: isTextIfAny, expires: isText },
  policy: { policy: isRecord, file: isText },
  authority: { public_key: isText },
  seal: { on: isRecord, public_key: isText, state: isRecord, machine: isRecord },
  task: { trail: isText, task: isText, status: isText, subject: isTextIfAny },
  evidence: { evidence: isText, action: isText, digest: isText },
};

/** Whether what a log holds has all that is read of an entry: anybody who can write to the store can put anything there. */
export function isEntry(raw: Readonly<Record<string, unknown>>): boolean {
  const type = raw["type"];
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) return false;
  return [COMMON, FIELDS[type as LedgerEntry["type"]]].every((fields) =>
    Object.entries(fields).every(([name, isRight]) => isRight(raw[name])),
  );
}
