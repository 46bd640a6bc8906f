import { fileURLToPath } from "node:url";
import { startChild } from "../children.ts";
import { atLeast, atMost, type Figure, info } from "../figure.ts";
import { recordedFiles } from "../recorded.ts";
import type { SearchCost } from "../search-runner.ts";

/** `[{ question, session, expect }]`, by a person who had not seen the index. */
const QUESTIONS = fileURLToPath(new URL("../search/questions.json", import.meta.url));

export const search: Figure = {
  name: "search",
  title: "Search in recorded sessions, imported by the product's own import",
  measure: async ({ place, progress }) => {
    if (recordedFiles() === undefined)
      return [info("recorded sessions", "skipped", "none beside this checkout ($CAIRN_RECORDED)")];
    progress.step("indexing recorded sessions");
    const child = startChild("search-runner.ts", [place.newFolder(), QUESTIONS]);
    const cost = await child.next<SearchCost>();
    await child.end();
    const { build, parsing, rawBytes, indexBytes, questions } = cost;
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    if (questions === undefined) console.error(`bench: SKIPPED: there are no questions in "${QUESTIONS}".`);
    for (const missed of questions?.missed ?? [])
      console.error(`bench: not among the first three: ${missed}`);
    return [
      atMost(
        "building the index / JSON.parse of the transcripts",
        build / parsing,
        { must: 5 },
        `${build.toFixed(0)} ms CPU to ${parsing.toFixed(0)} ms; ${cost.sessions} sessions, ${cost.pieces} texts, read from the store and verified`,
      ),
      atMost(
        "index / transcripts",
        indexBytes / rawBytes,
        { must: 0.12, digits: 3 },
        `${megabytes(indexBytes)} to ${megabytes(rawBytes)}`,
      ),
      atMost(
        "a search, 99th percentile of its CPU time",
        cost.queryP99,
        { must: 25, unit: " ms", digits: 1 },
        `${cost.queries} searches; median ${cost.queryP50.toFixed(1)} ms, 99th percentile on the clock ${cost.queryP99Time.toFixed(1)} ms`,
      ),
      atMost(
        "indexing an event, CPU",
        cost.perEvent,
        { must: 2, unit: " ms" },
        `${cost.events} commits of a session, taken in by the next search`,
      ),
      questions === undefined
        ? info("questions", "skipped", "there is no bench/search/questions.json")
        : atLeast(
            "questions with the right moment among the first three hits",
            questions.answered,
            { must: 34, digits: 0 },
            `of ${questions.asked}; ${questions.chosenOn} of the half on which the ranking was chosen, ${questions.tested} of the other; ${questions.inHit} by the text of the hit alone, the rest by what was said around it`,
          ),
    ];
  },
};
