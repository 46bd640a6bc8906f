import { CheckpointError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { commandHelp, overview } from "../help.ts";
import { TOPIC_TEXTS } from "../help-topics.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import { COMMANDS, isCommand, specOf, subcommandsOf } from "../table.ts";
import type { SETUP } from "../table/setup.ts";

/** Show help for a command or a topic */
export async function help(
  _context: Context,
  options: OptionsOf<typeof SETUP.help>,
  output: Output,
): Promise<void> {
  const text = helpFor(options.topic.join(" "), output);
  output.result({ topic: options.topic.join(" ") || null, text }, text.trimEnd());
}

function helpFor(topic: string, { style }: Output): string {
  if (topic === "") return overview(style);
  if (isCommand(topic)) return commandHelp(topic, style);
  if (Object.hasOwn(TOPIC_TEXTS, topic)) return TOPIC_TEXTS[topic as keyof typeof TOPIC_TEXTS]();
  const seconds = subcommandsOf(topic);
  if (seconds.length === 0) throw unknownTopic(topic);
  const lines = seconds.map((second) => {
    const name = `${topic} ${second}`;
    return `  ${style.cyan(name.padEnd(16))}  ${isCommand(name) ? specOf(name).about : ""}`;
  });
  return `${lines.join("\n")}\n\ncheckpoint ${topic} ${seconds[0]} --help shows examples and options.\n`;
}

function unknownTopic(typed: string): CheckpointError {
  return new CheckpointError("usage", `There is no help on "${typed}".`, {
    hint: "checkpoint help",
    details: { typed, known: [...Object.keys(COMMANDS), ...Object.keys(TOPIC_TEXTS)] },
  });
}
