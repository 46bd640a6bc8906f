import { useEffect } from "preact/hooks";

import { Filter, isWanted } from "../fields.tsx";
import { Ago, Badge, Command, Shown, TrailLink, useVerb } from "../parts.tsx";
import { hrefTo } from "../route.ts";
import { List, Many } from "../table.tsx";
import type { Answers, View } from "../shapes.ts";
import { countWords } from "../words.ts";
import { withStatus } from "../work-state.tsx";

type Story = Answers["story"];
type Line = Story["story"][number];

/** A session as a story: what was asked, said, decided and edited, what was checked, and what failed. */
export const SessionView: View = ({ query }) => {
  const id = query.get("id") ?? "";
  const answer = useVerb("story", { session: id }, (trail) => trail.startsWith(`session/${id}`));
  return (
    <Shown answer={answer}>
      {(told) => (
        <>
          <div class="row">
            <h1 class="grow">{told.session.goal ?? `A session of ${told.session.client}`}</h1>
            <Badge status={told.session.status} />
          </div>
          <div class="columns">
            <div>
              <Filter view="session" query={query} />
              {told.older > 0 && (
                <p class="quiet">
                  {countWords(told.older, "older line")} not shown.{" "}
                  <Command text={`checkpoint sessions show ${id}`} />
                </p>
              )}
              <Lines told={told} query={query} />
            </div>
            <About told={told} />
          </div>
        </>
      )}
    </Shown>
  );
};

const TONES: Readonly<Record<string, string>> = { failed: "bad", decided: "good", prompt: "live" };

const toneOfLine = ({ kind, text }: Line) =>
  kind === "check" ? (text.startsWith("failed") ? "bad" : "good") : (TONES[kind] ?? "quiet");

/** The lines, with the day where one begins. What the address names by its time is marked, and scrolled to. */
function Lines({ told, query }: { told: Story; query: URLSearchParams }) {
  const at = query.get("at");
  const shown = told.story.filter(({ kind, text, by }) => isWanted(query, kind, text, by));
  const named = shown.findIndex((line) => at !== null && line.at >= at);
  useEffect(
    () => document.querySelector(".told [aria-current]")?.scrollIntoView({ block: "center" }),
    [named],
  );
  if (shown.length === 0) return <p class="quiet">Nothing of it was recorded.</p>;
  const day = (index: number) => new Date(shown[index]?.at ?? "").toLocaleDateString();
  return (
    <Many
      class="told"
      first={Math.max(named + 1, 0)}
      items={shown.map((line, index) => (
        <>
          {day(index) !== day(index - 1) && <h2>{day(index)}</h2>}
          <div class={`line ${line.kind}`} aria-current={index === named ? "true" : undefined}>
            <time class="quiet small" dateTime={line.at}>
              {new Date(line.at).toLocaleTimeString()}
            </time>
            <span class={`small ${toneOfLine(line)}`}>{line.kind}</span>
            <span class="text">
              {line.text}
              {line.by !== null && <span class="quiet small"> {line.by}</span>}
            </span>
          </div>
        </>
      ))}
    />
  );
}

function About({ told: { session, tokens } }: { told: Story }) {
  const { client, model, trail, tasks, files_touched: files, checks_failing: failing, subagents } = session;
  return (
    <div>
      <p>
        {[client, model].filter(Boolean).join(" · ")} · seen <Ago at={session.last_seen_at} />
      </p>
      <p>
        <TrailLink name={trail} /> · <a href={hrefTo("handoff", { trail })}>Handoff</a>
      </p>
      {tasks.done + tasks.open > 0 && (
        <p>
          {tasks.done} of {countWords(tasks.done + tasks.open, "task")} done
          {tasks.active && `; now: ${tasks.active}`}
        </p>
      )}
      {tokens !== null && <p>{countWords(tokens, "token")} read and written</p>}
      {session.resume && (
        <p>
          Resume it: <Command text={session.resume} />
        </p>
      )}
      {failing.length > 0 && <h2>Failing checks</h2>}
      <List class="marked bad" items={failing} />
      {files.length > 0 && <h2>{countWords(files.length, "file")} touched</h2>}
      <List class="mono small" items={files} />
      {subagents.length > 0 && <h2>{countWords(subagents.length, "sub-agent")}</h2>}
      {withStatus(subagents)}
    </div>
  );
}
