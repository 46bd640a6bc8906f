import type { Capability } from "../../work/project/capability.ts";
import type { FeedEvent, FeedKind } from "../../work/project/feed/feed-event.ts";
import type { Project } from "../../work/project/project.ts";
import type { IntegrationSettings } from "../../work/project/settings/integrations.ts";

/** A capability that another service is told by. */
export interface HasIntegration extends Capability {
  readonly integration?: () => Promise<Integration>;
}

/** What an integration knows of the world. */
export interface IntegrationWorld {
  readonly project: Project;
  readonly settings: IntegrationSettings;
  /** A token from the environment, or from the vault that the variable names. Never stored or printed. */
  readonly secret: (variable: string) => Promise<string | undefined>;
  /** Ends when the process is asked to. */
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Says what a person should know, in a line. */
  readonly tell: (line: string) => void;
}

export interface Integration {
  readonly name: string;
  /** Where events go; none where it is not configured. Fails with the remedy where something that it needs is missing. */
  outlets(world: IntegrationWorld): Promise<readonly Outlet[]>;
  /** Takes what comes in at the path of its name; undefined where it is not configured. */
  receiver?(world: IntegrationWorld): Promise<Receiver | undefined>;
  /** Fetches what would come in, where nothing can; undefined where it is not configured. Runs until the signal. */
  poller?(world: IntegrationWorld): Promise<(() => Promise<void>) | undefined>;
}

/** One place that events go to: a consumer of the feed, with a cursor of its own. */
export interface Outlet {
  readonly name: string;
  readonly kinds: readonly FeedKind[];
  /**
   * Each event by itself; or, for one that shows how things stand, the latest of each trail, whatever came before; or each
   * by itself, but many together.
   */
  readonly takes: "each" | "latest" | "flood";
  /** Whether an event matters to it. All do unless given. */
  wants?(event: FeedEvent): boolean;
  /** The events have arrived when it resolves. Called again with the same ones after a crash, or a failure that may pass. */
  deliver(events: readonly FeedEvent[]): Promise<void>;
  /** Tries whether it works, and says what it found. */
  test(): Promise<string>;
}

/** A request from outside. Nothing of it is to be trusted before its signature was checked. */
export interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly body?: object;
  /** What happened, in a line for the person who watches. */
  readonly told?: string;
}

export type Receiver = (request: Incoming) => Promise<Reply>;
