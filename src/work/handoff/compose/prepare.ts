import type { BriefingFrame } from "../frame/frame.ts";
import type { Item } from "../items/item.ts";
import { isHeldBack, type Level } from "../items/levels.ts";
import type { Recorder } from "../items/provenance.ts";
import { type BriefingSection, SECTIONS } from "../items/sections.ts";
import { sum } from "./deal.ts";

/** An item with what it takes to show it whole. */
export interface PreparedItem {
  readonly item: Item;
  /** Who recorded it, if its section mixes recorders; else empty. */
  readonly label: string;
  readonly length: number;
}

export interface PreparedSection {
  readonly section: BriefingSection;
  /** Who recorded everything in it; undefined if that is unknown or differs from item to item. */
  readonly origin: Recorder | undefined;
  readonly total: number;
  /** What no briefing goes without, and what it may say besides. */
  readonly essential: readonly PreparedItem[];
  readonly optional: readonly PreparedItem[];
}

/** A briefing before it is decided what is in it. */
export interface Prepared {
  readonly frame: BriefingFrame;
  readonly key: Uint8Array;
  readonly sections: readonly PreparedSection[];
}

export function prepare(items: readonly Item[], level: Level | undefined): PreparedSection[] {
  const bySection = Map.groupBy(items, (item) => item.section);
  return SECTIONS.flatMap((section) => {
    const members = bySection.get(section.name);
    if (members === undefined) return [];
    const isMixed = members.some((item) => item.origin !== members[0]!.origin);
    const prepared = members.map((item) => {
      const label = isMixed && item.origin !== undefined ? `[${item.origin}] ` : "";
      return { item, label, length: (item.fit(Infinity)?.text.length ?? 0) + label.length + 1 };
    });
    return [
      {
        section,
        origin: isMixed ? undefined : members[0]!.origin,
        total: sum(members.map(({ units }) => units)),
        essential: prepared.filter(({ item }) => item.tier === 0),
        optional: prepared.filter(({ item }) => item.tier > 0 && !isHeldBack(item, level)),
      },
    ];
  });
}
