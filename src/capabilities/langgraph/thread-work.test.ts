import { expect, it } from "vitest";
import { packRecord } from "./stored-writes.ts";
import { workOfThread } from "./thread-work.ts";

const message = (name: string, content: unknown, id = "m") => ({
  $lc: { id: ["langchain_core", "messages", name], kwargs: { content, id } },
});

it("tells what was asked, what was said since, and what the graph asks", () => {
  const log = [
    message("HumanMessage", "Plan the move."),
    message("AIMessage", [{ type: "text", text: "Here is a plan." }]),
    message("ToolMessage", "3 files"),
    { role: "user", content: "Do it." },
    { role: "assistant", content: "Moving." },
  ];
  const question = packRecord(["__interrupt__", [{ value: "Publish?" }]]);
  const records = new Map([
    ["w/task/-3", question],
    ["other", question],
  ]);
  expect(workOfThread({ channels: { log, step: 3 } }, records)).toEqual({
    goal: "Plan the move.",
    session: { goal_by: "a message of the thread" },
    next_action: "Answer what the graph asks: Publish?",
    instructions: [{ what: "Plan the move." }, { what: "Do it." }],
    activity: {
      turns: [
        { asked: "Plan the move.", said: ["Here is a plan."], steps: ["3 files"] },
        { asked: "Do it.", said: ["Moving."], steps: [] },
      ],
    },
  });
});

it.each([null, 3, { channels: 1 }, { channels: { log: [null, "text", { $lc: 1 }, { content: 3 }] } }])(
  "says nothing of what is no thread: %j",
  (state) => {
    expect(workOfThread(state, new Map())).toEqual({ instructions: [], activity: { turns: [] } });
  },
);
