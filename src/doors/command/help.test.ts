import { expect, it } from "vitest";
import { widthOf } from "../../work/terminal/columns.ts";
import { topicText } from "./help-topics.ts";
import { commandHelp, helpWidth, overview } from "./help.ts";
import { styleFor } from "../../work/terminal/output.ts";
import { COMMANDS } from "./table.ts";
import { TOPICS } from "./table/setup.ts";

const page = { style: styleFor(true), columns: 80 };
const commands = Object.keys(COMMANDS);

it("fits every page of help into 80 columns", () => {
  const pages = [
    overview(page),
    ...commands.map((name) => commandHelp(name, page)),
    ...TOPICS.map((topic) => topicText(topic, helpWidth(page))),
  ];
  const lines = pages.flatMap((text) => text.split("\n"));
  expect(lines.length).toBeGreaterThan(commands.length * 10);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
});

it("has an overview of one line or two for each first word, which names every command", () => {
  const text = overview({ ...page, style: styleFor(false) });
  expect(text.split("\n").length).toBeLessThan(130);
  for (const name of commands)
    for (const word of name.split(" ")) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
});
