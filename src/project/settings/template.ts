/** What `checkpoint init --config` writes. Everything in it is a comment, so it changes nothing until edited. */
export const CONFIG_TEMPLATE = `# Settings of Cairn for this project: made to be committed. All of them are optional.
# It is data: nothing in it is ever run. "checkpoint config" shows what is in force, and from where.

# The plan whose headings ("## Phase 2: Build") say which phase the work is in.
# plan: docs/plan.md

# Services that "checkpoint now" looks at. Those on other machines are asked only if your own config
# allows them. Passwords stay in the environment: give the variable's name.
# dependencies:
#   - name: vault
#     type: vault
#     endpoint: http://127.0.0.1:8200
#   - name: cache
#     type: redis
#     endpoint: 127.0.0.1:6379
#     password_env: REDIS_PASSWORD
#   - name: database
#     type: postgres
#     endpoint: 127.0.0.1:5432

# How long to wait for each of them.
# probe_timeout: 1s

# How many checkpoints "checkpoint prune" keeps.
# keep: 50

# How long briefings are, and whose tokens they are counted in.
# summary:
#   level: compact
#   family: claude

# Secrets of your own that must never get into a checkpoint, besides the well-known ones.
# redact:
#   patterns:
#     - name: acme-key
#       pattern: ACME-[A-Z0-9]{20,40}
`;
