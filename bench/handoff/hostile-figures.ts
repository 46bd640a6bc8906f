import { emptyWorkState, type WorkState } from "../../src/work/state/work-state.ts";
import { SECTIONS } from "../../src/work/handoff/items/sections.ts";
import { handoff, type HandoffInput } from "../../src/work/handoff/handoff.ts";
import { hostilePayloads } from "./payloads.ts";
import { KEY } from "./rendered.ts";

/** How many payloads were tried, in every field of a state, and how many did harm. */
export function hostileFigures(): { payloads: number; texts: number; escaped: number; raw: number } {
  const payloads = hostilePayloads();
  let texts = 0;
  let escaped = 0;
  let raw = 0;
  for (const payload of payloads) {
    for (const format of ["markdown", "plain", "json"] as const) {
      const { text } = handoff(inputWith(payload), {
        maxTokens: 200_000,
        format,
        family: "gpt",
        keys: [payload],
      });
      texts += 1;
      if (format !== "json" && leavesFence(text)) escaped += 1;
      if (hasRawControl(text)) raw += 1;
    }
  }
  return { payloads: payloads.length, texts, escaped, raw };
}

function inputWith(payload: string): HandoffInput {
  const remark = { text: payload, by: payload, at: payload };
  const state: WorkState = {
    ...emptyWorkState(),
    goal: payload,
    next_action: payload,
    success_criteria: [payload],
    constraints: [remark, { text: payload, by: "person" }],
    instructions: [remark],
    decisions: [{ what: payload, why: payload, by: payload }],
    blockers: [remark],
    gotchas: [remark],
    phase: { name: payload, number: null, status: payload as never, started_at: null, notes: payload },
    tasks: [
      {
        id: payload,
        subject: payload,
        status: payload as never,
        owner: payload,
        blocks: [],
        blocked_by: [payload],
        evidence: payload,
      },
    ],
    active_task_id: payload,
    dependencies: [
      { name: payload, type: payload, status: "available", endpoint: payload, last_checked: null },
    ],
    variables: { [payload]: payload, nested: { [payload]: [payload] } },
    recent_outputs: [{ type: payload, id: payload, action: payload, success: false, timestamp: payload }],
    files_touched: [payload, `${payload}/${payload}`],
    commands: [{ argv: [payload, payload], ok: false, at: payload }],
    checks_failing: [payload],
    subagents: [{ id: payload, status: payload, task: payload, last_message: payload }],
    workspace: { head: payload, branch: payload, dirty: true },
    approvals_pending: [{ what: payload, [payload]: payload }],
    phases_completed: [payload],
    run: { workflow: payload, status: payload, [payload]: payload },
    session: {
      id: payload,
      client: payload,
      status: "failed",
      started_at: payload,
      error: payload,
      last_message: payload,
      background: [{ type: payload, status: payload, what: payload }],
    },
    [payload]: payload,
  };
  return {
    checkpoint: {
      checkpoint_id: payload,
      trail: payload,
      trigger: payload,
      notes: payload,
      agent_id: payload,
      agent_tier: payload,
    },
    state,
    key: KEY,
    resumeCommand: RESUME,
  };
}

/**
 * Whether anything stands where only our own lines may stand: outside the one pair of tags, or inside at the
 * start of a line without a bullet, a bar or one of our headings.
 */
function leavesFence(text: string): boolean {
  const lines = text.split("\n");
  const marker = /^<data-(\d{12})>$/.exec(lines[2] ?? "")?.[1];
  const end = lines.indexOf(`</data-${marker}>`);
  if (marker === undefined || text.split(marker).length !== 3 || end !== lines.length - 4) return true;
  const inside = lines.slice(4, end - 1);
  const isOurs = (line: string): boolean => /^(- | {2}\|)/.test(line) || HEADING.test(line);
  return !inside.every(isOurs) || !ENDINGS.includes(lines.slice(end + 2).join("\n"));
}

const RESUME = "checkpoint run resume build-7";
/** A hostile id is left out of the command, which then shows the newest checkpoint. */
const ENDINGS = [
  `Full record: checkpoint load --json\nResume: ${RESUME}`,
  `Full record: \`checkpoint load --json\`\nResume: \`${RESUME}\``,
];

const HEADING = new RegExp(
  `^(## )?(${SECTIONS.map(({ title }) => title).join("|")})( \\(\\d+ of \\d+\\))?( \\[(person|unconfirmed|agent|tool|imported)\\])?:?$`,
);

function hasRawControl(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text.replaceAll("\n", ""));
}
