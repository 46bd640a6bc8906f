import { TEAM_AGENT } from "./stand-in-agent.ts";
import type { Template } from "./template.ts";

const WORKFLOW = `# Two teams: one plans the product, a skeptic has to agree, the other builds it.
# Every agent keeps its own file in docs/progress: checkpoint progress scan
name: product-flow
about: Plan a product, have a skeptic review it, build and test it
inputs:
  feature: { default: search, about: The feature to plan and build }
steps:
  - id: research
    phase: research
    agent: researcher
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" docs/plans/research.json
    outputs: [docs/plans/research.json]
    env: { TEAM: plan-product }
  - id: design
    phase: design
    agent: architect
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" docs/plans/decision.json
    outputs: [docs/plans/decision.json]
    env: { TEAM: plan-product }
  - id: skeptics
    phase: review
    review:
      reviewers: [product-skeptic, quality-skeptic]
      quorum: 1
      run: sh "$CAIRN_WORKFLOW_DIR/agent.sh"
    env: { TEAM: plan-product }
  - id: build-it
    phase: review
    approve: The plan is reviewed. Build it?
  - id: backend
    phase: implementation
    agent: backend-engineer
    needs: [build-it]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" build/backend.json
    outputs: [build/backend.json]
    env: { TEAM: build-product }
  - id: frontend
    phase: implementation
    agent: frontend-engineer
    needs: [build-it]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" build/frontend.json
    outputs: [build/frontend.json]
    env: { TEAM: build-product }
  - id: test
    phase: testing
    agent: tester
    needs: [backend, frontend]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" build/report.json
    outputs: [build/report.json]
    env: { TEAM: build-product }
`;

export const PRODUCT_FLOW: Template = {
  name: "product-flow",
  about: "one team plans, skeptics review, another builds and tests; each agent keeps a progress file",
  files: { "workflow.yaml": WORKFLOW, "agent.sh": TEAM_AGENT },
};
