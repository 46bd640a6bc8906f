import { CheckpointError } from "../../../core/errors.ts";
import type { CommandOf } from "../command.ts";
import { commandHelp, definitions, firstScreen, helpWidth, overview } from "../help.ts";
import { isTopic, topicText } from "../help-topics.ts";
import { type Output, styleFor } from "../../../work/terminal/output.ts";
import { commandWords, isCommand, specOf, subcommandsOf } from "../table.ts";
import { TOPICS } from "../table/setup.ts";

export const help: CommandOf<"help"> = async (context, { all, topic }, output) => {
  if (topic.length > 0 || all) return showHelp(topic.join(" "), output);
  if (output.json) return output.document("help", { topic: null, text: firstScreen("", PLAIN) });
  const { standing } = await import("../view/standing.ts");
  output.raw(firstScreen(await standing(context, output), output));
};

/** The help of a command, of a topic, or without one all commands. */
export function showHelp(topic: string, output: Output): void {
  if (output.json) output.document("help", { topic: topic || null, text: helpFor(topic, PLAIN) });
  else output.raw(helpFor(topic, output));
}

/** Neither colours nor the width of a terminal mean anything to a program. */
const PLAIN = { style: styleFor(false), columns: undefined };

function helpFor(topic: string, output: Pick<Output, "style" | "columns">): string {
  if (topic === "") return overview(output);
  if (isCommand(topic)) return commandHelp(topic, output);
  if (isTopic(topic)) return topicText(topic, helpWidth(output));
  const seconds = subcommandsOf(topic);
  if (seconds.length === 0) throw unknownTopic(topic);
  const rows = seconds
    .map((second) => `${topic} ${second}`)
    .filter(isCommand)
    .map((name) => [name, specOf(name).about] as const);
  return `${definitions(rows, helpWidth(output), "  ")}\n\ncheckpoint ${topic} ${seconds[0]} --help shows examples and options.\n`;
}

function unknownTopic(typed: string): CheckpointError {
  return new CheckpointError("usage", `There is no help on "${typed}".`, {
    hint: "checkpoint help",
    details: { typed, known: [...commandWords(), ...TOPICS] },
  });
}
