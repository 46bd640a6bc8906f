/** What the verbs answer, as far as the page shows it. Texts may be anything: they are only ever shown as text. */
export interface CheckpointInfo {
  readonly checkpoint_id: string;
  readonly content_hash: string;
  readonly created_at: string;
  readonly trail: string;
  readonly parent_checkpoint_id: string | null;
  readonly trigger: string;
  readonly notes: string | null;
  readonly session_id: string | null;
  readonly agent_id: string | null;
  readonly agent_tier: number | null;
  readonly restored_from: string | null;
}

export interface LogEntry extends CheckpointInfo {
  readonly is_head: boolean;
  readonly damaged: boolean;
  readonly changes: Changes | null;
}

interface FromTo {
  readonly from: unknown;
  readonly to: unknown;
}

interface ItemChanges {
  readonly added: readonly Readonly<Record<string, unknown>>[];
  readonly removed: readonly Readonly<Record<string, unknown>>[];
  readonly changed: readonly {
    readonly id: string;
    readonly title: string;
    readonly fields: Readonly<Record<string, FromTo>>;
  }[];
}

export interface Changes {
  readonly phase: FromTo | null;
  readonly tasks: ItemChanges;
  readonly dependencies: ItemChanges;
  readonly variables: {
    readonly added: Readonly<Record<string, unknown>>;
    readonly removed: Readonly<Record<string, unknown>>;
    readonly changed: Readonly<Record<string, FromTo>>;
  };
  readonly other: readonly (FromTo & { readonly kind: string; readonly path: string })[];
}

export type WorkState = Readonly<Record<string, unknown>>;

export interface Trail {
  readonly name: string;
  readonly is_current: boolean;
  readonly checkpoints: number;
  readonly head: CheckpointInfo | null;
  readonly forked_from: Pick<CheckpointInfo, "checkpoint_id" | "trail" | "created_at"> | null;
}

export interface RunSummary {
  readonly id: string;
  readonly workflow: string;
  readonly status: string;
  readonly completed: number;
  readonly total: number;
  readonly percent: number;
  readonly next: readonly string[];
  readonly updated_at: string;
  readonly reason: string | null;
  readonly can_resume: boolean;
}

export interface Session {
  readonly id: string;
  readonly client: string;
  readonly trail: string;
  readonly checkpoint_id: string;
  readonly status: string;
  readonly goal: string | null;
  readonly model: string | null;
  readonly started_at: string | null;
  readonly last_seen_at: string;
  readonly last_action: string | null;
  readonly last_message: string | null;
  readonly tasks: { readonly done: number; readonly open: number; readonly active: string | null };
  readonly files_touched: readonly string[];
  readonly checks_failing: readonly string[];
  readonly subagents: readonly unknown[];
  readonly resume: string | null;
}
