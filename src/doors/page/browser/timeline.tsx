import { useEffect, useRef, useState } from "preact/hooks";

import { changeSentence } from "../../../work/state/diff-words.ts";
import { isImport, Lanes, lanesOf, lanesWidth, timeWords } from "./lanes.tsx";
import { Field } from "./fields.tsx";
import { Ago, Failure, useVerb } from "./parts.tsx";
import { go } from "./route.ts";
import type { Moment, Trail } from "./shapes.ts";
import { StateAt } from "./state-at.tsx";
import { useMoments } from "./use-moments.ts";
import { countWords, range, trailWords, whoSaved } from "./words.ts";

/** Rows are all of this height, so that the place of each is known before it is loaded. */
const ROW_PX = 52;
/** Rows that are drawn above and below what can be seen. */
const MARGIN = 5;
/** How long a chosen moment must rest before the address names it: browsers refuse too many changes. */
const REST_MS = 300;

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

/** The moments of a trail from the newest on, and the work as it stood at the one that is chosen. */
export function Timeline(props: { trail: string; at: string | null; trails: readonly Trail[] }) {
  const { trail, at } = props;
  const moments = useMoments(trail);
  // The place from the oldest on; without one, the newest is followed.
  const [chosen, setChosen] = useState<number>();
  const [scrollTop, setScrollTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const { total } = moments;
  const newest = (total ?? 0) - 1;
  const place = Math.min(chosen ?? newest, newest);
  // Rows count from the newest on.
  const position = newest - place;
  const first = Math.max(0, Math.floor(scrollTop / ROW_PX) - MARGIN);
  const last = Math.min(newest, Math.ceil((scrollTop + screen.height) / ROW_PX) + MARGIN);
  const moment = moments.at(place);

  const choose = (row: number) => {
    const wanted = Math.min(newest, Math.max(0, row));
    setChosen(wanted === 0 ? undefined : newest - wanted);
  };
  useEffect(() => {
    const area = box.current;
    const top = position * ROW_PX;
    if (area && (top < area.scrollTop || top > area.scrollTop + area.clientHeight - ROW_PX))
      area.scrollTop = top - area.clientHeight / 2;
  }, [chosen, total === undefined]);
  useEffect(() => {
    if (newest >= 0) moments.show(newest - last, newest - first, place);
  }, [first, last, place, total]);
  const [isSearching, setSearching] = useState(at !== null);
  useEffect(() => {
    const found = at === null ? undefined : moments.find(at).then(setChosen);
    void found?.finally(() => setSearching(false));
  }, []);
  useEffect(() => {
    const named = chosen === undefined ? undefined : moment?.checkpoint_id;
    const isKnown = !isSearching && (chosen === undefined || named !== undefined);
    const address = location.href;
    const { pathname, searchParams } = new URL(address);
    const isShown = pathname === "/trail" && (searchParams.get("name") ?? trail) === trail;
    // The address changes before the view does: a reader who has left already is not brought back.
    const isHere = () => isKnown && isShown && location.href === address;
    const name = () => isHere() && go("trail", { name: trail, at: named }, { replace: true });
    const rest = setTimeout(name, REST_MS);
    return () => clearTimeout(rest);
  }, [isSearching, chosen, moment?.checkpoint_id]);

  const forksAt = (entry: Moment | undefined) =>
    props.trails
      .filter(({ forked_from }) => entry && forked_from?.checkpoint_id === entry.checkpoint_id)
      .map(({ name }) => name);
  const lanes = lanesOf(props.trails, trail);
  const columns = `${lanesWidth(lanes)}px minmax(0, 1fr) auto`;
  const tags = useVerb("tags", {}, (name) => name === trail);
  const tagged = (entry: Moment | undefined) =>
    (tags.result ?? [])
      .filter(({ checkpoint }) => checkpoint.checkpoint_id === entry?.checkpoint_id)
      .map(({ name }) => name);
  const drawRow = (row: number) => {
    const entry = moments.at(newest - row);
    const newer = row === 0 ? undefined : moments.at(newest - row + 1);
    const forks = forksAt(entry);
    return (
      <div
        class="moment"
        key={newest - row}
        id={`moment-${row}`}
        style={{ top: `${row * ROW_PX}px`, height: `${ROW_PX}px`, gridTemplateColumns: columns }}
        role="option"
        aria-selected={row === position}
        aria-setsize={newest + 1}
        aria-posinset={row + 1}
        onClick={() => choose(row)}
      >
        <Lanes lanes={lanes} row={{ moment: entry, newer, isOldest: row === newest }} />
        <span class="words">
          {entry ? summaryOf(entry) : "…"}
          <br />
          {entry?.damaged && <span class="badge damaged">damaged</span>}{" "}
          {entry && isImport(entry) && <span class="badge quiet">imported</span>}{" "}
          {tagged(entry).map((name) => [<span class="badge live">{name}</span>, " "])}
          {forks.map((name) => [<span class="badge good">↗ {trailWords(name)}</span>, " "])}
          <span class="quiet small">{entry && whoOf(entry)}</span>
        </span>
        <span class="when">
          <Ago at={entry?.created_at} />
          <br />
          <span class="quiet small">{entry && timeWords(entry, newer, moments.at(newest - row - 1))}</span>
        </span>
      </div>
    );
  };
  if (moments.error) return <Failure error={moments.error} />;
  if (total === undefined) return <p class="quiet">Loading …</p>;
  return (
    <>
      <p class="row quiet">
        <Field
          label={`Moment, of ${countWords(total, "checkpoint")}`}
          type="range"
          min={0}
          max={Math.max(0, newest)}
          value={place}
          aria-valuetext={moment && `${summaryOf(moment)}, ${moment.created_at}`}
          set={(value) => choose(newest - Number(value))}
        />
        {moment && new Date(moment.created_at).toLocaleString()}
      </p>
      <div class="columns">
        <div
          class="card timeline"
          ref={box}
          tabIndex={0}
          role="listbox"
          aria-label={`Checkpoints of ${trail}`}
          aria-activedescendant={`moment-${position}`}
          onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            if (step === undefined) return;
            event.preventDefault();
            choose(position + step);
          }}
        >
          <div style={{ height: `${total * ROW_PX}px` }} role="presentation">
            {(position < first || position > last ? [position] : []).concat(range(first, last)).map(drawRow)}
          </div>
        </div>
        <div>
          {moment && (
            <StateAt moment={moment} trail={trail} forks={forksAt(moment)} isNewest={position === 0} />
          )}
        </div>
      </div>
    </>
  );
}

const summaryOf = (moment: Moment) =>
  (!moment.damaged && moment.notes) || changeSentence(moment) || "nothing in the work state changed";

const whoOf = (moment: Moment) => [whoSaved(moment), moment.trigger, moment.checkpoint_id].join(" · ");
