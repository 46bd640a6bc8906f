// LangGraph's own suite for checkpointers, whole, on each of our stores.
import { deltaChannelHistoryTests, specTest } from "@langchain/langgraph-checkpoint-validation";
import { open, STORES } from "./support/savers.mjs";

for (const store of STORES) {
  const opened = new Map();
  const initializer = {
    checkpointerName: `CairnSaver (${store})`,
    async createCheckpointer() {
      const { saver, end } = await open(store);
      opened.set(saver, end);
      return saver;
    },
    destroyCheckpointer: (saver) => opened.get(saver)(),
  };
  specTest(initializer);
  deltaChannelHistoryTests(initializer);
}
