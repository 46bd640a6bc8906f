import { useEffect, useRef, useState } from "preact/hooks";

import { verb } from "./api.ts";
import { isWanted } from "./fields.tsx";
import { Ago } from "./parts.tsx";
import { go, type Query } from "./route.ts";
import type { MenuEntry } from "./shell.tsx";
import type { Answers } from "./shapes.ts";
import { trailWords } from "./words.ts";

/** Something to choose: a place to go to, or a command to copy. */
interface Choosable {
  readonly kind: string;
  readonly label: string;
  readonly about: string;
  readonly at?: string;
  readonly to?: readonly [view: string, query?: Query];
}

/** How many of each kind. */
const MOST = 6;
/** How long typing rests before everything that was saved is searched. */
const REST_MS = 200;

type Menu = readonly [name: string, place: MenuEntry][];

/** One search over everything: views, trails, runs, sessions, words that were saved, and commands to copy. */
export function Palette({ menu }: { menu: Menu }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <>
      <button type="button" class="search" onClick={() => setOpen(true)}>
        Search <kbd>Ctrl K</kbd>
      </button>
      <dialog class="card palette" ref={dialog} aria-label="Search" onClose={() => setOpen(false)}>
        {isOpen && <Search menu={menu} close={() => setOpen(false)} />}
      </dialog>
    </>
  );
}

function Search({ menu, close }: { menu: Menu; close: () => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [said, setSaid] = useState("");
  const known = useKnown(menu);
  const { hits, isSearching } = useHits(typed);
  const shown = [...byKind(known, typed), ...hits];
  const current = Math.min(at, shown.length - 1);
  const choose = async ({ to, label }: Choosable) => {
    if (to) {
      close();
      return go(...to);
    }
    await navigator.clipboard.writeText(label).then(
      () => setSaid(`Copied: ${label}`),
      () => setSaid("Copying is not allowed: select it and copy it by hand."),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(shown.length - 1, current + step)));
    else if (event.key === "Enter" && shown[current]) void choose(shown[current]);
    else return;
    event.preventDefault();
  };
  useEffect(
    () => document.getElementById(`found-${current}`)?.scrollIntoView({ block: "nearest" }),
    [current],
  );
  return (
    <>
      <input
        role="combobox"
        aria-label="Search everything"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={`found-${current}`}
        placeholder="A trail, a run, a session, words that were saved, a command …"
        value={typed}
        autofocus
        onKeyDown={onKeyDown}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
      />
      <ul id="found" role="listbox" aria-label="Found">
        {shown.map((item, index) => (
          <li
            key={index}
            id={`found-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => void choose(item)}
          >
            <span class="quiet small">{item.kind}</span>
            <span>
              {item.label}
              <span class="quiet small"> {item.about}</span> <Ago at={item.at} />
            </span>
          </li>
        ))}
      </ul>
      <p class="small quiet" role="status">
        {said || (isSearching ? "Searching what was saved …" : shown.length === 0 && "Nothing is like that.")}
      </p>
    </>
  );
}

/** What is known by name. It is read once, when the search is opened. */
function useKnown(menu: Menu): readonly Choosable[] {
  const [known, setKnown] = useState<readonly Choosable[]>([]);
  useEffect(() => {
    const views = menu.map(([name, { label = name }]) => ({
      kind: "view",
      label,
      about: "",
      to: [name] as const,
    }));
    setKnown(views);
    // What cannot be read is not offered; its own view says why.
    const add = <Result,>(answer: Promise<Result>, toItems: (result: Result) => readonly Choosable[]) =>
      void answer.then((result) => setKnown((before) => [...before, ...toItems(result)])).catch(() => {});
    add(verb("trails"), (all) =>
      all.map(({ name, head }) => ({
        kind: "trail",
        label: trailWords(name),
        about: head?.notes ?? head?.trigger ?? "damaged",
        to: ["trail", { name }],
      })),
    );
    add(verb("runs"), (all) =>
      all.map(({ id, workflow, status }) => ({
        kind: "run",
        label: id,
        about: `${workflow}, ${status}`,
        to: ["run", { id }],
      })),
    );
    add(verb("sessions"), (all) =>
      all.map(({ id, client, status, goal }) => ({
        kind: "session",
        label: goal ?? `a session of ${client}`,
        about: `${client}, ${status}`,
        to: ["session", { id }],
      })),
    );
    add(verb("commands"), (all) => all.map(({ name, about }) => ({ kind: "copy", label: name, about })));
  }, []);
  return known;
}

/** In this order, whatever was read first. */
const KINDS = ["view", "run", "session", "trail", "copy"];

const byKind = (known: readonly Choosable[], typed: string) =>
  KINDS.flatMap((kind) =>
    known
      .filter((item) => item.kind === kind && isWanted(typed, kind, item.label, item.about))
      .slice(0, MOST),
  );

/** Words that were saved. */
function useHits(typed: string): { hits: readonly Choosable[]; isSearching: boolean } {
  const [found, setFound] = useState<{ typed: string; hits: readonly Choosable[] }>({ typed: "", hits: [] });
  const wanted = typed.trim();
  useEffect(() => {
    let isCurrent = wanted.length > 1;
    const show = (hits: readonly Choosable[]) => isCurrent && setFound({ typed: wanted, hits });
    const rest = setTimeout(() => {
      if (isCurrent)
        verb("search", { words: [wanted] }).then(
          (result) => show(hitsOf(result)),
          () => show([]),
        );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(rest);
    };
  }, [wanted]);
  if (wanted.length < 2) return { hits: [], isSearching: false };
  return { hits: found.hits, isSearching: found.typed !== wanted };
}

const hitsOf = ({ hits }: Answers["search"]): readonly Choosable[] =>
  hits.map(({ kind, text, who, at, session, trail, checkpoint_id: id }) => ({
    kind,
    label: text,
    about: who ?? "",
    at,
    to: session === null ? ["checkpoint", { id, trail }] : ["session", { id: session, at }],
  }));
