import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ClientProfile } from "./real-client.ts";

export function codexProfile(modelUrl: string): ClientProfile {
  const settings = [
    'model_provider="scripted"',
    'model="gpt-5.5"',
    'model_providers.scripted.name="scripted"',
    `model_providers.scripted.base_url="${modelUrl}/v1"`,
    'model_providers.scripted.wire_api="responses"',
    "analytics.enabled=false",
  ];
  return {
    args: (words, { trustsHooks = true, settings: more = [] }) => [
      "exec",
      ...[...settings, ...more].flatMap((setting) => ["-c", setting]),
      "--dangerously-bypass-approvals-and-sandbox",
      ...(trustsHooks ? ["--dangerously-bypass-hook-trust"] : []),
      ...words,
    ],
    env: (home) => ({ CODEX_HOME: join(home, "codex") }),
    prepare: (home) => mkdirSync(join(home, "codex")),
  };
}
