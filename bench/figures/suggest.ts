import { writeFileSync } from "node:fs";
import { openProject, suggest as suggestVerb, type Suggestion } from "../../src/doors/library/project.ts";
import { atMost, type Figure, info } from "../figure.ts";
import { importRecorded } from "../import-recorded.ts";
import { recordedFiles, type RecordedFile } from "../recorded.ts";

/** Where the suggestions are written with their evidence, to be judged by a reader of the sessions. */
const TO_JUDGE = process.env["CAIRN_SUGGESTIONS"];

/** How much of each session is known when suggestions are asked for. */
const PARTS = [0.2, 0.4, 0.6, 0.8, 1];

type Told = Suggestion & { readonly part: number };

export const suggest: Figure = {
  name: "suggest",
  title: "Suggestions on recorded sessions, asked for at five moments of each",
  measure: async ({ place, progress }) => {
    const files = recordedFiles();
    if (files === undefined)
      return [info("recorded sessions", "skipped", "none beside this checkout ($CAIRN_RECORDED)")];
    const told: Told[] = [];
    for (const part of PARTS) {
      progress.step(`sessions up to ${part * 100} % of their lines`);
      const begun = files.map(({ id, lines }) => ({
        id,
        lines: lines.slice(0, Math.ceil(lines.length * part)),
      }));
      const found = await suggestionsOn(place.newFastFolder(), begun, part);
      told.push(...found.map((suggestion) => ({ ...suggestion, part })));
    }
    // As it was told first.
    const different = [...new Map(told.toReversed().map((each) => [each.id, each])).values()];
    if (TO_JUDGE !== undefined) writeFileSync(TO_JUDGE, JSON.stringify(different, null, 2));
    const moments = [...Map.groupBy(told, ({ trail, part }) => `${trail} ${part}`).values()];
    const most = Math.max(0, ...moments.map(({ length }) => length));
    return [
      info("different suggestions", String(different.length), `on ${files.length} sessions`),
      ...[...Map.groupBy(different, ({ rule }) => rule)].map(([rule, { length }]) =>
        info(`of ${rule}`, String(length), ""),
      ),
      info(
        "moments without any",
        `${files.length * PARTS.length - moments.length}`,
        `of ${files.length * PARTS.length}`,
      ),
      atMost("suggestions of one session at a moment", most, { must: 3 }, "the most"),
    ];
  },
};

async function suggestionsOn(
  root: string,
  files: readonly RecordedFile[],
  part: number,
): Promise<readonly Suggestion[]> {
  const project = openProject({ path: root, env: { HOME: root } });
  for (const file of files) await importRecorded(project, file);
  // A day after the end nobody works on any of them; before it, all are under way.
  const now = () => new Date(Date.now() + (part === 1 ? 86_400_000 : 0));
  const { suggestions } = await suggestVerb({ ...project, now });
  await project.stores.close();
  return suggestions;
}
