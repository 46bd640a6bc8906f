import { useEffect, useRef } from "preact/hooks";

import { go } from "./route.ts";
import { Table } from "./table.tsx";
import type { MenuEntry } from "./shell.tsx";

/** How long after g the second key may come. */
const SEQUENCE_MS = 1500;

const keys = (...names: readonly string[]) => names.flatMap((name) => [<kbd>{name}</kbd>, " "]);

const SEARCH = [keys("Ctrl K", "⌘ K"), "search everything"];

const TIMELINE = [
  keys("↓", "↑", "j", "k"),
  "in the timeline: one checkpoint older or newer; Page Up and Page Down go ten, Home and End to the newest and the oldest",
];

/** Keys that work in every view: g and a letter goes somewhere, ? shows them all. */
export function Shortcuts({ menu }: { menu: readonly [name: string, place: MenuEntry][] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let startedAt = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).matches?.("input:not([type=range]), select, textarea");
      if (isTyping || dialog.current?.open || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "?") return dialog.current?.showModal();
      const entry = menu.find(([, { key }]) => key === event.key);
      if (event.timeStamp - startedAt < SEQUENCE_MS && entry) {
        event.preventDefault();
        go(entry[0]);
      }
      startedAt = event.key === "g" ? event.timeStamp : -Infinity;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [menu.length]);
  return (
    <dialog class="card" ref={dialog} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <Table rows={[...menu.map(([, { key = "", label }]) => [keys("g", key), label]), SEARCH, TIMELINE]} />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
