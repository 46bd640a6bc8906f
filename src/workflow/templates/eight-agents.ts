import { STAND_IN_AGENT } from "./stand-in-agent.ts";
import type { Template } from "./template.ts";

const WORKFLOW = `# Eight agents, from the request to the documentation. Two of them review at the same time.
name: eight-agents
about: From a request to reviewed, documented code, by eight agents
inputs:
  request: { default: "Add a login page", about: What is wanted }
steps:
  - id: orchestrator
    phase: planning
    agent: orchestrator
    about: Turn the request into a manifest of the work
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/manifest.json
    outputs: [artifacts/manifest.json]
  - id: researcher
    phase: planning
    agent: researcher
    about: Find what exists, in the code and outside
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/research.json
    outputs: [artifacts/research.json]
  - id: planner
    phase: planning
    agent: planner
    about: Design the change
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/architecture.json
    outputs: [artifacts/architecture.json]
    verify: test -s artifacts/architecture.json
  - id: test-master
    phase: building
    agent: test-master
    about: Write the tests first
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/tests.json
    outputs: [artifacts/tests.json]
  - id: implementer
    phase: building
    agent: implementer
    about: Make the tests pass
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/implementation.json
    outputs: [artifacts/implementation.json]
    retry: { max: 1, backoff: 1s }
  - id: reviewer
    phase: checking
    agent: reviewer
    about: Review the change
    needs: [implementer]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/review.json
    outputs: [artifacts/review.json]
  - id: security-auditor
    phase: checking
    agent: security-auditor
    about: Look for weaknesses
    needs: [implementer]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/security.json
    outputs: [artifacts/security.json]
  - id: release
    phase: checking
    needs: [reviewer, security-auditor]
    approve: The reviews are in. Document and release this change?
  - id: doc-master
    phase: documenting
    agent: doc-master
    about: Write the documentation
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" artifacts/docs.json
    outputs: [artifacts/docs.json]
`;

export const EIGHT_AGENTS: Template = {
  name: "eight-agents",
  about:
    "orchestrator, researcher, planner, test-master, implementer, reviewer, security-auditor, doc-master",
  files: { "workflow.yaml": WORKFLOW, "agent.sh": STAND_IN_AGENT },
};
