import { STAND_IN_AGENT } from "./stand-in-agent.ts";
import type { Template } from "./template.ts";

const WORKFLOW = `# Five phases with a person's approval between them. Architects work apart, a round table decides.
name: phase-gated
about: Requirements, architecture, implementation, verification, reflection, with approvals
inputs:
  demand: { default: "A faster search", about: What is wanted }
steps:
  - id: requirements
    phase: REQUIREMENTS
    agent: product-manager
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/demand.json
    outputs: [memory/reports/demand.json]
    verify: test -s memory/reports/demand.json
  - id: approve-requirements
    phase: REQUIREMENTS
    approve: Is this what you want?
  - id: architect-simple
    phase: ARCHITECTURE
    agent: architect
    needs: [approve-requirements]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/designs/simple.json
    outputs: ["memory/reports/designs/simple*.json"]
  - id: architect-scalable
    phase: ARCHITECTURE
    agent: architect
    needs: [approve-requirements]
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/designs/scalable.json
    outputs: ["memory/reports/designs/scalable*.json"]
  - id: choose-design
    phase: ARCHITECTURE
    needs: [architect-simple, architect-scalable]
    approve: { question: "Which design?", options: [simple, scalable] }
  - id: roundtable
    phase: ARCHITECTURE
    agent: roundtable
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/final_design.json
    outputs: [memory/reports/final_design.json]
    verify: test -s memory/reports/final_design.json
  - id: implementation
    phase: IMPLEMENTATION
    agent: executor
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/implementation.json
    outputs: [memory/reports/implementation.json]
    retry: { max: 2, backoff: 1s }
  - id: verification
    phase: VERIFICATION
    agent: qa
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/verification.json
    outputs: [memory/reports/verification.json]
    verify: test -s memory/reports/verification.json
  - id: reflection
    phase: REFLECTION
    agent: reflector
    run: sh "$CAIRN_WORKFLOW_DIR/agent.sh" memory/reports/reflection.json
    outputs: [memory/reports/reflection*.json]
`;

export const PHASE_GATED: Template = {
  name: "phase-gated",
  about: "requirements, architecture, implementation, verification, reflection, with approvals by a person",
  files: { "workflow.yaml": WORKFLOW, "agent.sh": STAND_IN_AGENT },
};
