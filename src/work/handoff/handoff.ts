import type { WorkState } from "../state/work-state.ts";
import { fitBudget } from "./compose/fit-budget.ts";
import { prepare } from "./compose/prepare.ts";
import type { BriefingFrame } from "./frame/frame.ts";
import { collectItems } from "./items/collect.ts";
import type { Item } from "./items/item.ts";
import type { ProjectEntry } from "./items/project.ts";
import { budgetOf, type HandoffOptions, levelOf } from "./options.ts";
import { type Handoff, report, reportAsJson } from "./report.ts";

/** What a handoff is made from. */
export interface HandoffInput {
  /** Who, when and why: the checkpoint without its state. Other fields are ignored. */
  readonly checkpoint: {
    readonly checkpoint_id: string;
    readonly trail?: string | undefined;
    readonly trigger?: string | undefined;
    readonly notes?: string | null | undefined;
    readonly agent_id?: string | null | undefined;
    readonly agent_tier?: number | string | null | undefined;
    readonly session_id?: string | null | undefined;
    readonly parent_checkpoint_id?: string | null | undefined;
  };
  /** The work state. It may come from anywhere: its shape is not trusted. */
  readonly state: Partial<WorkState>;
  /** The store's random key, 16 bytes or more: the fence around recorded text is derived from it. */
  readonly key: Uint8Array;
  /** The exact command that resumes the work, flags included. Default: the one that shows where it stands. */
  readonly resumeCommand?: string | undefined;
  /** The command that prints everything. Default: `checkpoint load <id> --json`. */
  readonly loadCommand?: string | undefined;
  /** Whether the state holds only what is new to a reader who knows the rest: then nothing in it counts as missing. */
  readonly isUpdate?: boolean | undefined;
  /** What holds for the whole project, if the state is that of one session. */
  readonly project?: readonly ProjectEntry[] | undefined;
}

/**
 * The best briefing for the next agent, inside a hard budget. Pure: the same input gives the same bytes. Throws
 * `budget`, naming what is missing, if not even the essentials fit (goal, constraints, pending approvals, next action
 * and the required keys).
 *
 * @example
 * const { text } = handoff({ checkpoint, state, key, resumeCommand: "checkpoint resume build-7" }, { level: "standard" });
 */
export function handoff(input: HandoffInput, options: HandoffOptions = {}): Handoff {
  const budget = budgetOf(options);
  const items = collectItems(input, options);
  const sections = prepare(items, levelOf(options));
  const frame = frameOf(input, options, items);
  const prepared = { frame, key: input.key, sections };
  const result = report(fitBudget(prepared, budget, options.shrink === true), items, budget);
  return options.format === "json"
    ? { ...result, text: reportAsJson(result, budget, { ...input, ...frame }) }
    : result;
}

function frameOf(
  { checkpoint, resumeCommand = statusCommand(checkpoint), loadCommand }: HandoffInput,
  options: HandoffOptions,
  items: readonly Item[],
): BriefingFrame {
  const id = checkpoint.checkpoint_id;
  return {
    style: options.format === "plain" ? "plain" : "markdown",
    audience: options.audience ?? "next-agent",
    hasImports: items.some((item) => item.origin === "imported"),
    hasUnconfirmed: items.some((item) => item.origin === "unconfirmed"),
    // An id with anything else in it is not one of ours, and must not appear outside the fence.
    loadCommand:
      loadCommand ?? (/^[\w.-]{1,80}$/.test(id) ? `checkpoint load ${id} --json` : "checkpoint load --json"),
    resumeCommand,
  };
}

/** A trail with anything else in its name must not appear outside the fence either. */
function statusCommand({ trail }: HandoffInput["checkpoint"]): string {
  const isPlain = trail !== undefined && /^[\w][\w./~-]{0,199}$/.test(trail);
  return isPlain ? `checkpoint status --trail ${trail}` : "checkpoint status";
}
