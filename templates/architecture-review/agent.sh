#!/bin/sh
# A stand-in for a member of the council: it approves if no check failed, and otherwise rejects and names those that did.
# To have a real agent judge, which gets the coverage on its stdin and writes {"verdict": "approve" | "reject", "reason": "…"}
# to $CAIRN_RESULT:
#   AGENT_COMMAND='claude -p "You are the $CAIRN_REVIEWER reviewer. Judge these checks; write your verdict to $CAIRN_RESULT"' checkpoint run workflow.yaml
set -eu
if [ -n "${AGENT_COMMAND:-}" ]; then exec sh -c "$AGENT_COMMAND" agent < architecture/coverage.json; fi
exec node "$CAIRN_WORKFLOW_DIR/review.mjs" judge
