import { expect, it } from "vitest";
import { widthOf } from "./columns.ts";
import { topicText } from "./help-topics.ts";
import { commandHelp, helpWidth, overview } from "./help.ts";
import { styleFor } from "./output.ts";
import { COMMANDS, type CommandName } from "./table.ts";
import { TOPICS } from "./table/setup.ts";

const page = { style: styleFor(true), columns: 80 };
const commands = Object.keys(COMMANDS) as CommandName[];

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
