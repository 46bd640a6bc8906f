import { digestOf } from "../keys/signature.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { needsAuthority } from "../state/apply-entry.ts";
import { isDecreed } from "../state/decrees.ts";
import type { Asked } from "../state/entry.ts";

/** An approval for exactly this agent, action and plan, which nobody has used. */
export function approvalFor(ledger: Ledger, agent: string, question: Asked): string | undefined {
  const { state, storeId } = ledger;
  const found = Object.values(state.approvals).find(
    (approval) =>
      isFor(approval, agent, question) &&
      approval.expires > ledger.at &&
      (!needsAuthority(state, approval) || isDecreed(state, storeId, approval)),
  );
  return found?.request;
}

/** The same question has the same name, as long as nobody has used its approval. */
export function requestFor({ state, tail }: Ledger, agent: string, question: Asked): string {
  const open = Object.values(state.requests).find((asked) => isFor(asked, agent, question));
  const { action, alias, digest } = question;
  const facts = [agent, action, alias, digest, tail.hash];
  return open?.id ?? `req-${digestOf(JSON.stringify(facts)).slice(0, 12)}`;
}

function isFor(asked: Asked & { agent: string }, agent: string, { action, alias, digest }: Asked): boolean {
  return asked.agent === agent && asked.action === action && asked.alias === alias && asked.digest === digest;
}
