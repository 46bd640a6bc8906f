import { choice, number, rest, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { STORY } from "../../work/project/reading/story-line.ts";
import { SEARCH_KINDS } from "./index/piece.ts";

export const SEARCH = {
  search: {
    about: "Search everything that was ever saved",
    examples: [
      ["checkpoint search refresh token", "also as refreshToken or refresh_token; best and newest first"],
      ["checkpoint search '\"drop the cache\"' --kind said", "a phrase, in what agents said"],
      ["checkpoint search migr* file:store.sql --since 7d", "a prefix, about a file, of the last week"],
      ["checkpoint search 9f8a1b2c3d4e/decisions/3#0", "all of a hit, and what was said around it"],
    ],
    arguments: {
      words: rest("WORDS", "What to look for, or a hit's id", {
        told: 'Few telling words; "a phrase"; a prefix*; file:NAME. Or a hit\'s id: all of it.',
        max: 2_000,
      }),
    },
    options: {
      kind: choice(SEARCH_KINDS, "Only words of this kind", { told: "Only this kind of words." }),
      session: text("ID", "Only of this session: its id, or its beginning", {
        told: "Only of this session.",
      }),
      since: text("TIME", "Only since: 7d, 12h, 2026-01-23", {
        max: 40,
        told: "Only since: 7d, 12h, 2026-01-23.",
      }),
      limit: number(1, "How many (default: 10)", { maximum: 100, told: "" }),
    },
    details:
      "Looks for all words first, then for any of them. The index stands in a file of its own beside the store, catches up at each search, and can be deleted at any time. `--kind transcript` is everything in imported transcripts.",
    result: () =>
      json.fields({
        hits: json.list(
          json.fields({
            id: json.text,
            kind: json.enumOf(...SEARCH_KINDS),
            at: json.text,
            who: json.nullableText,
            session: json.nullableText,
            trail: json.text,
            checkpoint_id: json.text,
            file: json.nullableText,
            text: json.text,
            command: json.text,
          }),
        ),
        turn: STORY,
        unknown: json.list(json.fields({ word: json.text, nearest: json.texts })),
        searched: json.whole(0),
      }),
    tool: {
      name: "search",
      title: "Search what was saved",
      description:
        "Finds words in all sessions of this project: prompts, answers, decisions, commands, output. Short hits, best first; search a hit's id to read all of it and what was said around it.",
      effect: "looks",
    },
    page: {},
    run: () => import("./search.ts"),
  },
} as const satisfies Record<string, VerbEntry>;

export const VERBS: readonly VerbTable[] = [
  { group: "saving", entries: SEARCH, load: (file) => import(`./commands/${file}.ts`) as Promise<object> },
];
