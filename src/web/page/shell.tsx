import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { get } from "./api.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { useIsLive } from "./live.ts";
import { Failure, useTick } from "./parts.tsx";
import { hrefTo, useRoute, type Route } from "./route.ts";

export interface About {
  readonly root: string;
  readonly isReadOnly: boolean;
  readonly isGoverned: boolean;
  readonly version: string;
}

/** `about` is not known in the first moments: then nothing can be changed yet. */
export type View = ComponentType<{ query: URLSearchParams; about: About | undefined }>;

export interface MenuEntry {
  readonly view: string;
  readonly label: string;
  /** What is typed after g to go there. */
  readonly key: string;
}

const MENU: readonly MenuEntry[] = [
  { view: "home", label: "Home", key: "h" },
  { view: "trail", label: "Timeline", key: "t" },
  { view: "runs", label: "Runs", key: "r" },
  { view: "sessions", label: "Sessions", key: "s" },
  { view: "handoff", label: "Handoff", key: "b" },
  { view: "agents", label: "Agents", key: "a" },
  { view: "store", label: "Store", key: "d" },
];

/** Which entry of the menu a view belongs to. */
const PARENTS: Readonly<Record<string, string>> = { checkpoint: "trail", diff: "trail", run: "runs" };

/** What is around every view: where one is, where one can go, and whether what is shown is of this moment. */
export function Shell({ views }: { views: Readonly<Record<string, View>> }) {
  const route = useRoute();
  const [about, setAbout] = useState<About>();
  const [error, setError] = useState<Error>();
  const isLive = useIsLive();
  // How long ago something was is drawn anew.
  useTick(20_000);
  const isAway = isLive === false;
  useEffect(() => {
    get<About>("/api/about")
      .then(setAbout)
      .then(() => setError(undefined), setError);
  }, [isAway]);
  // Agents have a view only where a project is governed.
  const menu = MENU.filter(({ view }) => view !== "agents" || about?.isGoverned);
  const View = Object.hasOwn(views, route.view) ? views[route.view] : undefined;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // Whoever does not see the page hears that it is another one.
    if (document.activeElement?.closest("nav")) main.current?.focus();
  }, [route.view]);
  useEffect(() => {
    document.title = `${route.query.get("name") ?? route.query.get("id") ?? route.view} · Cairn`;
  }, [route]);
  return (
    <div class="shell">
      <a class="skip" href="#view">
        To the content
      </a>
      <Side route={route} about={about} menu={menu} isLive={isLive} />
      <main class="view" id="view" tabIndex={-1} ref={main}>
        {error && <Failure error={error} />}
        {View && <View query={route.query} about={about} key={route.view} />}
        {View === undefined && (
          <p>
            There is no such view. <a href="/">Home</a>
          </p>
        )}
      </main>
      <Shortcuts menu={menu} />
    </div>
  );
}

function Side(props: {
  route: Route;
  about: About | undefined;
  menu: readonly MenuEntry[];
  isLive: boolean | undefined;
}) {
  const current = PARENTS[props.route.view] ?? props.route.view;
  return (
    <nav class="side" aria-label="Views">
      <a class="name" href="/">
        Cairn
      </a>
      <p class="aside">{props.about?.root}</p>
      <ul>
        {props.menu.map(({ view, label }) => (
          <li key={view}>
            <a href={hrefTo(view)} aria-current={view === current ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      <p class={`small ${props.isLive ? "good" : "warn"}`} role="status">
        {props.isLive ? "● live" : props.isLive === false ? "○ waiting for the server" : "○ connecting"}
      </p>
      {props.about?.isReadOnly && <p class="small quiet">read only</p>}
      <p class="small quiet aside">? for keys</p>
    </nav>
  );
}
