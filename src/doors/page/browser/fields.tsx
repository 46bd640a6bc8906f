import type { ComponentProps } from "preact";

import { go } from "./route.ts";

/** An input with its label. */
export function Field(props: { label: string; set?: (value: string) => void } & ComponentProps<"input">) {
  const { label, set, ...input } = props;
  return (
    <label class="row grow">
      {label} <input {...input} onInput={(event) => set?.(event.currentTarget.value)} />
    </label>
  );
}

/** What a list is narrowed to stands in the address, as `q`. */
export function Filter({ view, query }: { view: string; query: URLSearchParams }) {
  const narrow = (q: string) =>
    go(view, { ...Object.fromEntries(query), q: q === "" ? undefined : q }, { replace: true });
  return <Field label="Filter" type="search" value={query.get("q") ?? ""} set={narrow} />;
}

/** Whether these texts together have all words that a list is narrowed to. */
export function isWanted(query: URLSearchParams | string, ...texts: readonly (string | null)[]): boolean {
  const words = typeof query === "string" ? query : (query.get("q") ?? "");
  const all = texts.join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** A choice of one of some names. */
export function Choice(props: {
  label: string;
  value: string | undefined;
  names: readonly string[];
  choose: (name: string) => void;
}) {
  return (
    <label class="row grow">
      {props.label}{" "}
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value)}>
        {props.names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
