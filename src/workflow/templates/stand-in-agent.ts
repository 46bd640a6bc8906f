/** A scripted stand-in for an agent: with it every template runs offline, and shows where a real one goes. */
export const STAND_IN_AGENT = `#!/bin/sh
# A stand-in for an agent: reads its briefing, works a little, writes the files that it is asked for.
# To use a real agent, which gets the briefing on its stdin:
#   AGENT_COMMAND='claude -p "Do your step; write $*"' checkpoint run workflow.yaml
set -eu
if [ -n "\${AGENT_COMMAND:-}" ]; then exec sh -c "$AGENT_COMMAND" agent "$@"; fi
words=$(wc -w < "$CAIRN_HANDOFF" | tr -d ' ')
echo "$CAIRN_AGENT read a briefing of $words words."
sleep "\${AGENT_SECONDS:-0.2}"
for file in "$@"; do
  mkdir -p "$(dirname "$file")"
  printf '{"agent": "%s", "step": "%s", "by": "the stand-in"}\\n' "$CAIRN_AGENT" "$CAIRN_STEP_ID" > "$file.new"
  mv "$file.new" "$file"
  echo "$CAIRN_AGENT wrote $file."
done
printf '{"summary": "%s is done", "files": %s}\\n' "$CAIRN_STEP_ID" "$#" > "$CAIRN_RESULT"
`;

/** The same, and a progress file of its own, as agents of a team keep one. */
export const TEAM_AGENT = `${STAND_IN_AGENT}
mkdir -p docs/progress
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
cat > "docs/progress/$INPUT_FEATURE-$CAIRN_AGENT.md" <<END
---
feature: "$INPUT_FEATURE"
team: "$TEAM"
agent: "$CAIRN_AGENT"
phase: "$CAIRN_PHASE"
status: "complete"
last_action: "Finished $CAIRN_STEP_ID"
updated: "$now"
---

## Progress Notes

- [$(date -u +%H:%M)] Finished $CAIRN_STEP_ID
END
`;
