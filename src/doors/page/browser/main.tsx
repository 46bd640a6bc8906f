import { render } from "preact";

import { takeKey } from "./api.ts";
import { follow } from "./live.ts";
import { Shell, type MenuEntry } from "./shell.tsx";
import { AgentsView } from "./views/agents.tsx";
import { CheckpointView } from "./views/checkpoint.tsx";
import { DiffView } from "./views/diff.tsx";
import { HandoffView } from "./views/handoff.tsx";
import { HomeView } from "./views/home.tsx";
import { RunView } from "./views/run.tsx";
import { RunsView } from "./views/runs.tsx";
import { SessionView } from "./views/session.tsx";
import { SessionsView } from "./views/sessions.tsx";
import { StoreView } from "./views/store.tsx";
import { TrailView } from "./views/trail.tsx";

/** All views, in the order of the menu. */
const PLACES: Readonly<Record<string, MenuEntry>> = {
  home: { view: HomeView, label: "Home", key: "h" },
  trail: { view: TrailView, label: "Timeline", key: "t" },
  checkpoint: { view: CheckpointView, parent: "trail" },
  diff: { view: DiffView, parent: "trail" },
  runs: { view: RunsView, label: "Runs", key: "r" },
  run: { view: RunView, parent: "runs" },
  sessions: { view: SessionsView, label: "Sessions", key: "s" },
  session: { view: SessionView, parent: "sessions" },
  handoff: { view: HandoffView, label: "Handoff", key: "b" },
  agents: { view: AgentsView, label: "Agents", key: "a" },
  store: { view: StoreView, label: "Store", key: "d" },
};

await takeKey();
// The printed address may be pasted into a tab that is open already.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#key=")) void takeKey().then(() => location.reload());
});
void follow();
render(<Shell places={PLACES} />, document.getElementById("page") as HTMLElement);
