import { startChild } from "../children.ts";
import { atMost, type Figure } from "../figure.ts";
import { growthExponent } from "../measure.ts";
import { time } from "../units.ts";
import type { Times } from "../workflow-runner.ts";

export const workflow: Figure = {
  name: "workflow",
  title: "Runs of workflows, against durable commits and bare spawns of the same process in the same rounds",
  measure: async ({ place, progress }) => {
    const ask = async <Name extends keyof Times>(name: Name, words: string): Promise<Times[Name]> => {
      progress.step(`workflow: ${words}`);
      const runner = startChild("workflow-runner.ts", [place.newFolder(), name]);
      const times = await runner.next<Times[Name]>();
      await runner.end();
      return times;
    };
    const call = await ask("functionSteps", "function step / durable commit");
    const command = await ask("commandSteps", "command step without its spawn / durable commit");
    const growth = await ask("growth", "runs of up to 1,000 steps");
    const { resumed, fresh } = await ask("resuming", "resume / fresh start of 1,000 steps");
    return [
      atMost(
        "trivial function step / durable commit",
        call.step / call.commit,
        { must: 3 },
        `${time(call.step)} / ${time(call.commit)}`,
      ),
      atMost(
        "command step without its bare spawn / durable commit",
        (command.step - command.spawn) / command.commit,
        { must: 3 },
        `(${time(command.step)} - ${time(command.spawn)}) / ${time(command.commit)}`,
      ),
      atMost(
        "time of a run by its steps, 125 to 1,000: exponent",
        growthExponent(growth.map(({ steps, wall }) => ({ steps, bytes: wall }))),
        { must: 1.1 },
        growth.map(({ steps, wall }) => `${steps}: ${time(wall)}`).join(", "),
      ),
      atMost(
        "resume of a run of 1,000 steps / fresh start of one, until the first step starts",
        resumed / fresh,
        { must: 1.5 },
        `${time(resumed)} / ${time(fresh)}`,
      ),
    ];
  },
};
