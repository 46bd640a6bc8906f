import type { CheckpointInfo } from "../../checkpoints/document.ts";
import type { Remark } from "../../checkpoints/work-state.ts";
import { commitWork, signed } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import { findEntry } from "./find-entry.ts";
import type { BLOCK, UNBLOCK } from "./schemas.ts";

export type RemarkInput = InputOf<typeof BLOCK>;

export interface ConstraintResult {
  readonly checkpoint: CheckpointInfo | null;
  /** Counted from 1. */
  readonly number: number;
  readonly constraint: Remark;
}

/** Adds a rule that every later agent must keep. */
export async function constraint(project: Project, { trail, text }: RemarkInput): Promise<ConstraintResult> {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: { text: meaningful(text, "The rule") },
    change: (draft, fresh) => void draft.constraints.push({ ...fresh, ...signed(project) }),
  });
  const number = state.constraints.length;
  return { checkpoint, number, constraint: state.constraints[number - 1] as Remark };
}

export interface BlockResult {
  readonly checkpoint: CheckpointInfo | null;
  /** Counted from 1. */
  readonly number: number;
  readonly blocker: Remark;
}

/** Records what the work waits for. */
export async function block(project: Project, { trail, text }: RemarkInput): Promise<BlockResult> {
  const { checkpoint, state } = await commitWork(project, {
    trail,
    fresh: { text: meaningful(text, "The blocker") },
    change: (draft, fresh) => void draft.blockers.push({ ...fresh, ...signed(project) }),
  });
  const number = state.blockers.length;
  return { checkpoint, number, blocker: state.blockers[number - 1] as Remark };
}

const BLOCKERS = { noun: "blocker", shownBy: "checkpoint status" };

export type UnblockInput = InputOf<typeof UNBLOCK>;

export interface UnblockResult {
  readonly checkpoint: CheckpointInfo | null;
  readonly removed: Remark;
  readonly left: number;
}

/** Removes a blocker. */
export async function unblock(project: Project, { trail, which }: UnblockInput): Promise<UnblockResult> {
  const wanted = meaningful(which, "The blocker");
  let removed: Remark | undefined;
  const { checkpoint, state } = await commitWork(project, {
    trail,
    mustExist: true,
    fresh: {},
    change: ({ blockers }) => {
      [removed] = blockers.splice(findEntry(blockers, wanted, BLOCKERS), 1);
    },
  });
  return { checkpoint, removed: removed as unknown as Remark, left: state.blockers.length };
}
