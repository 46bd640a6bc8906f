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
