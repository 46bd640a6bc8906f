import { mkdirSync, writeFileSync } from "node:fs";
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
    prepare: (home) => mkdirSync(join(home, "codex"), { recursive: true }),
  };
}

/** Started by Node, because its program is a script. */
export function geminiProfile(modelUrl: string): ClientProfile {
  return {
    args: (words) => ["--yolo", "--model", "gemini-2.5-pro", ...words],
    env: () => ({
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    prepare: (home) => {
      mkdirSync(join(home, ".gemini"), { recursive: true });
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      writeFileSync(join(home, ".gemini/settings.json"), `${JSON.stringify(settings, undefined, 2)}\n`);
    },
  };
}

export function opencodeProfile(modelUrl: string): ClientProfile {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
    models: { scripted: { name: "scripted", limit: { context: 100_000, output: 4096 }, tool_call: true } },
  };
  return {
    args: (words) => ["run", "--model", "loopback/scripted", ...words],
    env: (home) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { loopback: provider }, permission: "allow" }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_STATE_HOME: join(home, ".local/state"),
    }),
    prepare: (home) => {
      mkdirSync(join(home, ".config/opencode"), { recursive: true });
      // It wants a package from the registry for its plugins, and goes on without it.
      writeFileSync(join(home, ".npmrc"), "fetch-retries=0\n");
    },
  };
}

/** Offline, with a provider of one's own. */
export function copilotProfile(modelUrl: string): ClientProfile {
  return {
    args: (words, { settings = [] }) => ["--allow-all", "--no-auto-update", ...settings, ...words],
    env: (home) => ({
      COPILOT_HOME: join(home, ".copilot"),
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
    }),
  };
}

/** As the person has it, but with settings of its own and a model on loopback. */
export function claudeProfile(modelUrl: string): ClientProfile {
  return {
    args: (words) => ["--print", "--dangerously-skip-permissions", ...words],
    env: (home) => ({
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Without it the permissions cannot be skipped by root, as in a container.
      IS_SANDBOX: "1",
    }),
    prepare: (home) => mkdirSync(join(home, "claude"), { recursive: true }),
  };
}
