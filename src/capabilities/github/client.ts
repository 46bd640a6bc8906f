import { CheckpointError } from "../../core/errors.ts";
import type { IntegrationWorld } from "../integrations/integration.ts";
import { missingSecret } from "../integrations/open-world.ts";
import { type Answered, ask } from "../integrations/request.ts";

export interface GithubClient {
  /** `owner/name` */
  readonly repository: string;
  /** Tokens of a person cannot make check runs: those belong to an app, and that of GitHub Actions is one. */
  readonly isPersonal: boolean;
  /** Asks for a path below the repository's, `/pulls/1`; one that begins with `//` is below the server's. */
  request(method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<Answered>;
}

const TOKEN = "GITHUB_TOKEN";
const SERVER = "https://api.github.com";
/** GitHub asks for at least a second between requests that write. */
const BETWEEN_MS = 2_000;

/** When this process asked last, for each server and token's owner: several parts ask. */
const lastRequest = new WeakMap<object, number>();

export async function githubClient(world: IntegrationWorld): Promise<GithubClient | undefined> {
  const { settings, project, signal } = world;
  if (settings.github === undefined) return undefined;
  const token = await world.secret(TOKEN);
  if (token === undefined) throw missingSecret(TOKEN, "GitHub");
  const { repository } = settings.github;
  const server = checkedServer(project.env["GITHUB_API_URL"] || SERVER);
  const pace = async () => {
    const nowMs = () => project.now().getTime();
    const dueMs = (lastRequest.get(project.stores) ?? 0) + BETWEEN_MS;
    lastRequest.set(project.stores, Math.max(nowMs(), dueMs));
    if (dueMs > nowMs()) await world.wait(dueMs - nowMs());
    signal.throwIfAborted();
  };
  return {
    repository,
    isPersonal: /^(?:gh[opu]_|github_pat_)/.test(token),
    async request(method, path, body) {
      await pace();
      const url = path.startsWith("//")
        ? `${server}${path.slice(1)}`
        : `${server}/repos/${repository}${path}`;
      const headers = {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        "user-agent": "cairn-checkpoint",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      return ask({ who: "GitHub", url, method, headers, body: body && JSON.stringify(body), signal });
    },
  };
}

/** The token goes there. */
function checkedServer(text: string): string {
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
  if (url?.protocol === "https:" || isLocal) return text.replace(/\/+$/, "");
  throw new CheckpointError("usage", "$GITHUB_API_URL is not an https address.", {
    hint: "Leave it out for github.com, or write it like this: https://github.example.com/api/v3",
  });
}
