import { useEffect, useRef, useState } from "preact/hooks";

import { get } from "./api.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { Palette } from "./palette.tsx";
import { type PageState, usePageState } from "./live.ts";
import { Failure, useTick } from "./parts.tsx";
import { hrefTo, useRoute } from "./route.ts";
import type { About, View } from "./shapes.ts";

/** A view with its place in the menu, or the one that it belongs to. */
export interface MenuEntry {
  readonly view: View;
  readonly label?: string;
  /** What is typed after g to go there. */
  readonly key?: string;
  readonly parent?: string;
}

const STATE_WORDS: Readonly<Record<PageState, string>> = {
  live: "● live",
  empty: "○ nothing saved yet",
  gone: "○ the store is gone",
  unreachable: "○ the store cannot be reached",
  stopped: "○ the server has stopped",
};

/** What is around every view: where one is, where one can go, and whether what is shown is of this moment. */
export function Shell({ places }: { places: Readonly<Record<string, MenuEntry>> }) {
  const route = useRoute();
  const [about, setAbout] = useState<About>();
  const [error, setError] = useState<Error>();
  const state = usePageState();
  // How long ago something was is drawn anew.
  const ticks = useTick(60_000);
  useEffect(() => {
    get<About>("/api/about")
      .then(setAbout)
      .then(() => setError(undefined), setError);
  }, [state, ticks]);
  // Agents have a view only where a project is governed.
  const menu = Object.entries(places).filter(
    ([name, { label }]) => label !== undefined && (name !== "agents" || about?.isGoverned),
  );
  const place = Object.hasOwn(places, route.view) ? places[route.view] : undefined;
  const current = place?.parent ?? route.view;
  const main = useRef<HTMLElement>(null);
  const lastView = useRef(route.view);
  useEffect(() => {
    // So that a screen reader announces the new view.
    if (lastView.current !== route.view) main.current?.focus();
    lastView.current = route.view;
    document.title = `${route.query.get("name") ?? route.query.get("id") ?? route.view} · Cairn`;
  }, [route]);
  return (
    <div class="shell">
      <a class="skip" href="#view">
        To the content
      </a>
      <nav class="side" aria-label="Views">
        <a href="/">
          <strong>Cairn</strong>
        </a>
        <p class="aside">{about?.root}</p>
        <Palette menu={menu} />
        <ul>
          {menu.map(([name, { label }]) => (
            <li key={name}>
              <a href={hrefTo(name)} aria-current={name === current ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
        <p class={`small ${state === "live" || state === "empty" ? "good" : "warn"}`} role="status">
          {state === undefined ? "○ connecting" : STATE_WORDS[state]}
        </p>
        {about?.isReadOnly && <p class="small quiet">read only</p>}
        <p class="small quiet aside">? for keys</p>
      </nav>
      <main class="view" id="view" tabIndex={-1} ref={main}>
        {error && <Failure error={error} />}
        {place ? (
          <place.view query={route.query} about={about} key={`${route.view} ${route.query.get("id")}`} />
        ) : (
          <p>
            There is no such view. <a href="/">Home</a>
          </p>
        )}
      </main>
      <Shortcuts menu={menu} />
    </div>
  );
}
