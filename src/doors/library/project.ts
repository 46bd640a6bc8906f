/**
 * What the command and the MCP server do, for programs: each verb is a function of a project and its input.
 *
 * @example
 * const project = openProject({ path: ".", agent: "planner" });
 * await decide(project, { what: "Use SQLite", why: "Nothing to install" });
 * const { text } = await summary(project, { level: "compact" });
 * await project.stores.close();
 *
 * @packageDocumentation
 */
// oxlint-disable-next-line import/no-unassigned-import -- First, so that an older Node is refused in words.
import "../../core/store/sqlite/node-sqlite.ts";
export type { ChaosFile, ChaosInvariant } from "../../capabilities/chaos/chaos-file.ts";
export type { PlayedRun } from "../../capabilities/chaos/play.ts";
export * from "../../capabilities/bugs/library.ts";
export * from "../../capabilities/explain/library.ts";
export * from "../../capabilities/files/library.ts";
export * from "../../capabilities/governance/library.ts";
export { search, type SearchInput, type SearchResult } from "../../capabilities/search/search.ts";
export type { SearchHit } from "../../capabilities/search/hit.ts";
export * from "../../capabilities/schedules/library.ts";
export * from "../../capabilities/integrations/library.ts";
export * from "../../capabilities/suggest/library.ts";
export * from "../../capabilities/sync/library.ts";
export * from "../../capabilities/telemetry/library.ts";
export * from "../../capabilities/workflow/library.ts";
export type { Actor } from "../../work/project/actor.ts";
export { sessionEvent, type EventSender } from "../../work/project/events/session-event.ts";
export { eventsAck } from "../../work/project/feed/events-ack.ts";
export { openFeed, type Feed, type FeedOptions } from "../../work/project/feed/feed.ts";
export type { FeedEvent, FeedKind, FeedNews, FeedSource } from "../../work/project/feed/feed-event.ts";
export type { EventWorld } from "../../work/project/gate.ts";
export * from "../../work/project/history/go-back.ts";
export * from "../../work/project/history/tags.ts";
export * from "../../work/project/history/trails.ts";
export * from "../../work/project/maintenance/import.ts";
export * from "../../work/project/maintenance/prune.ts";
export * from "../../work/project/maintenance/usage.ts";
export * from "../../work/project/maintenance/salvage.ts";
export * from "../../work/project/maintenance/verify.ts";
export * from "../../work/project/reading/diff.ts";
export { allOrOne, list, log } from "../../work/project/reading/list.ts";
export type * from "../../work/project/reading/list.ts";
export * from "../../work/project/reading/load.ts";
export {
  sessions,
  type AgentSessionReport,
  type SessionsInput,
} from "../../work/project/reading/sessions.ts";
export * from "../../work/project/reading/status.ts";
export * from "../../work/project/reading/summary.ts";
export * from "../../work/project/reading/timeline.ts";
export { unfinished, type Unfinished } from "../../work/project/reading/unfinished.ts";
export { openProject, type OpenProjectOptions } from "./open-project.ts";
export type { Machine } from "../../work/machine/this-machine.ts";
export type { Notices, Opening, Project, Stores } from "../../work/project/project.ts";
export * from "../../work/project/saving/now.ts";
export * from "../../work/project/work/entries.ts";
export * from "../../work/project/work/goal.ts";
export { outputAdd } from "../../work/project/work/outputs.ts";
export * from "../../work/project/work/phase.ts";
export { promote } from "../../work/project/work/promote.ts";
export * from "../../work/project/work/tasks.ts";
export * from "../../work/project/work/variables.ts";
