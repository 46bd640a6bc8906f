import { CheckpointError } from "../../errors.ts";
import type { CommandOf } from "../command.ts";
import { commandHelp, definitions, helpWidth, overview } from "../help.ts";
import { isTopic, topicText } from "../help-topics.ts";
import type { Output } from "../output.ts";
import { commandWords, isCommand, specOf, subcommandsOf } from "../table.ts";
import { TOPICS } from "../table/setup.ts";

export const help: CommandOf<"help"> = async (_context, options, output) => {
  const topic = options.topic.join(" ");
  if (!output.json) return output.result({}, helpFor(topic, output).trimEnd());
  const { commandDocument, overviewDocument } = await import("../help-document.ts");
  if (topic === "") return output.result(overviewDocument(), "");
  if (isCommand(topic)) return output.result(commandDocument(topic), "");
  output.result({ topic, text: helpFor(topic, output), command: null, commands: null }, "");
};

function helpFor(topic: string, output: Output): string {
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
