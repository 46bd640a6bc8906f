import { useEffect, useState } from "preact/hooks";

/** Where the page is: a view, and what it shows. */
export interface Route {
  readonly view: string;
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | undefined>>;

function here(): Route {
  return { view: location.pathname.slice(1) || "home", query: new URLSearchParams(location.search) };
}

export function hrefTo(view: string, query: Query = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return `/${view === "home" ? "" : view}${search === "" ? "" : `?${search}`}`;
}

export function go(view: string, query: Query = {}, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", hrefTo(view, query));
  dispatchEvent(new Event("route"));
}

function asLink(drawn: SVGElement): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = drawn.getAttribute("href") ?? "";
  return link;
}

/** Follows the address as long as the page is open. A link of our own changes it without loading the page again. */
export function useRoute(): Route {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const follow = () => setRoute(here());
    const onClick = (event: MouseEvent) => {
      const found = (event.target as Element).closest?.("a");
      // A link in a drawing has its address as an attribute only.
      const link = found instanceof SVGElement ? asLink(found) : found;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
      if (!link || !isPlain || link.origin !== location.origin || link.hash || link.target) return;
      event.preventDefault();
      if (link.pathname !== location.pathname) scrollTo(0, 0);
      history.pushState(null, "", link.href);
      follow();
    };
    addEventListener("popstate", follow);
    addEventListener("route", follow);
    document.addEventListener("click", onClick);
  }, []);
  return route;
}
