import { render } from "preact";

import { takeKey } from "./api.ts";
import { follow } from "./live.ts";
import { Shell, type View } from "./shell.tsx";
import { AgentsView } from "./views/agents.tsx";
import { CheckpointView } from "./views/checkpoint.tsx";
import { DiffView } from "./views/diff.tsx";
import { HandoffView } from "./views/handoff.tsx";
import { HomeView } from "./views/home.tsx";
import { RunView } from "./views/run.tsx";
import { RunsView } from "./views/runs.tsx";
import { SessionsView } from "./views/sessions.tsx";
import { StoreView } from "./views/store.tsx";
import { TrailView } from "./views/trail.tsx";

const VIEWS: Readonly<Record<string, View>> = {
  home: HomeView,
  trail: TrailView,
  checkpoint: CheckpointView,
  diff: DiffView,
  runs: RunsView,
  run: RunView,
  sessions: SessionsView,
  handoff: HandoffView,
  agents: AgentsView,
  store: StoreView,
};

await takeKey();
void follow();
render(<Shell views={VIEWS} />, document.getElementById("page") as HTMLElement);
