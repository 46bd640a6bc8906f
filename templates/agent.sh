#!/bin/sh
# A stand-in for an agent: reads its briefing, works a little, writes the files that it is asked for.
# To use a real agent, which gets the briefing on its stdin:
#   AGENT_COMMAND='claude -p "Do your step; write $*"' checkpoint run workflow.yaml
set -eu
if [ -n "${AGENT_COMMAND:-}" ]; then exec sh -c "$AGENT_COMMAND" agent "$@"; fi
words=$(wc -w < "$CAIRN_HANDOFF" | tr -d ' ')
echo "$CAIRN_AGENT read a briefing of $words words."
sleep "${AGENT_SECONDS:-0.2}"
for file in "$@"; do
  mkdir -p "$(dirname "$file")"
  printf '{"agent": "%s", "step": "%s", "by": "the stand-in"}\n' "$CAIRN_AGENT" "$CAIRN_STEP_ID" > "$file.new"
  mv "$file.new" "$file"
  echo "$CAIRN_AGENT wrote $file."
done
printf '{"summary": "%s is done", "files": %s}\n' "$CAIRN_STEP_ID" "$#" > "$CAIRN_RESULT"
