import type { Part } from "../support/part.ts";
import { commands } from "./commands.ts";
import { crashStates } from "./crash-states.ts";
import { files, killedRewinds } from "./files.ts";
import { governance } from "./governance.ts";
import { links, runners, store } from "./faults.ts";
import { fuzzing } from "./fuzz.ts";
import { logFlips } from "./log-flips.ts";
import { model } from "./model.ts";
import { mutants } from "./mutants.ts";
import { network } from "./network.ts";
import { powerCuts } from "./power-cuts.ts";
import { savers } from "./savers.ts";
import { stateFolder } from "./state-folder.ts";
import { workers } from "./workers.ts";
import { remotes } from "./remotes.ts";

/** In the order of the published table. */
export const PARTS: readonly Part[] = [
  powerCuts,
  savers,
  crashStates,
  stateFolder,
  logFlips,
  commands,
  files,
  killedRewinds,
  store,
  governance,
  remotes,
  model,
  fuzzing,
  links,
  mutants,
  network,
  runners,
  workers,
];
