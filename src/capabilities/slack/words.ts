import { textOf } from "../../core/text/untrusted.ts";
import { clip, oneLine } from "../../core/text/visible.ts";
import type { FeedEvent } from "../../work/project/feed/feed-event.ts";

/** What is told at all. Of runs only those that failed; what each step does is nothing for a channel. */
export const isTold = (event: FeedEvent): boolean => labelOf(event) !== undefined;

/** What kind of thing happened, as it is counted in a flood. */
export function labelOf(event: FeedEvent): string | undefined {
  if (event.kind === "run")
    return event.type === "run-ended" && event.details["status"] === "failed" ? "failed runs" : undefined;
  return LABELS[event.type];
}

const LABELS: Readonly<Record<string, string>> = {
  "approval-asked": "questions of runs",
  "approval-decided": "answers",
  request: "requests at the gate",
  violation: "violations",
  "breaker-opened": "opened breakers",
  "breaker-closed": "closed breakers",
};

/** Slack's markup needs no more: without these three there is no link and no mention. */
export function plain(text: string, most = 500): string {
  return clip(oneLine(text), most).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An event in a line. */
export function wordsOf(event: FeedEvent): string {
  if (event.kind === "breaker") {
    const is = event.type === "breaker-opened" ? "does not work: its breaker opened" : "works again";
    return `${plain(event.dependency, 100)} ${is}`;
  }
  if (event.kind === "run") return `Run ${plain(event.run)} failed: ${plain(said(event, "reason"))}`;
  if (event.kind === "violation")
    return `Violation: ${plain(said(event, "agent", "by"), 100)} ${plain(said(event, "reason", "action"))}`;
  if (event.kind !== "approval") return "";
  if (event.type === "request")
    return `A request waits: ${plain(said(event, "reason", "action", "command"))}. \`checkpoint gate\``;
  const { run = "" } = event;
  if (event.type === "approval-asked") return `Run ${plain(run)} asks: ${plain(said(event, "question"))}`;
  const verb = event.details["approved"] === true ? "approved" : "rejected";
  const why = said(event, "option", "reason");
  return `${plain(said(event, "step"), 100)} of run ${plain(run)} was ${verb} by ${plain(said(event, "by"), 100)}${why === "" ? "" : `: ${plain(why)}`}`;
}

const said = (event: FeedEvent, ...names: readonly string[]): string =>
  ("details" in event ? textOf(event.details, ...names) : undefined) ?? "";
