import type { Capability } from "../work/project/capability.ts";
import { agentSdk } from "./agent-sdk/capability.ts";
import { aiSdk } from "./ai-sdk/capability.ts";
import { bugs } from "./bugs/capability.ts";
import { cache } from "./cache/capability.ts";
import { chaos } from "./chaos/capability.ts";
import { clients } from "./clients/capability.ts";
import { explain } from "./explain/capability.ts";
import { files } from "./files/capability.ts";
import { github } from "./github/capability.ts";
import { governance } from "./governance/capability.ts";
import { integrations } from "./integrations/capability.ts";
import { langgraph } from "./langgraph/capability.ts";
import { mastra } from "./mastra/capability.ts";
import { openaiAgents } from "./openai-agents/capability.ts";
import { postgres } from "./postgres/capability.ts";
import { schedules } from "./schedules/capability.ts";
import { search } from "./search/capability.ts";
import { slack } from "./slack/capability.ts";
import { suggest } from "./suggest/capability.ts";
import { sync } from "./sync/capability.ts";
import { telemetry } from "./telemetry/capability.ts";
import { vault } from "./vault/capability.ts";
import { webhooks } from "./webhooks/capability.ts";
import { workers } from "./workers/capability.ts";
import { workflow } from "./workflow/capability.ts";

/** Every capability of this build, in the order of the help. A folder that is deleted loses its two lines here. */
export const CAPABILITIES: readonly Capability[] = [
  agentSdk,
  aiSdk,
  bugs,
  cache,
  clients,
  explain,
  files,
  governance,
  langgraph,
  mastra,
  openaiAgents,
  postgres,
  search,
  suggest,
  sync,
  vault,
  workflow,
  workers,
  schedules,
  chaos,
  integrations,
  webhooks,
  github,
  slack,
  telemetry,
];
