import { startService, type Given, type Got } from "./world.ts";

interface FixtureCheck {
  id: number;
  name: string;
  head_sha: string;
  external_id: string;
  status: string;
  conclusion?: string;
  output: { title: string; summary: string };
}

interface FixtureComment {
  id: number;
  body: string;
  user: { id: number; login: string };
  created_at: string;
  updated_at: string;
  issue_url: string;
}

/** What GitHub does and an emulator does not: wrong tokens, unknown commits, what personal tokens may not, limits of sizes. */
export interface GithubFixture {
  readonly url: string;
  readonly got: Got[];
  readonly checks: FixtureCheck[];
  readonly comments: FixtureComment[];
  readonly statuses: { sha: string; state: string; context: string; description: string }[];
  readonly pulls: { number: number; state: string; head: { sha: string; repo: { full_name: string } } }[];
  /** Commits that were pushed. */
  readonly commits: Set<string>;
  /** Answers in place of the fixture, one after the other. */
  readonly next: Given[];
}

export const REPOSITORY = "example/shop";
export const APP_TOKEN = "ghs_anapptoken";
export const PERSONAL_TOKEN = "ghp_apersonaltoken";
const MAX_TEXT = 65_535;

export async function startGithub(onRequest: (got: Got) => void = () => {}): Promise<GithubFixture> {
  let number = 100;
  const state: Omit<GithubFixture, "url" | "got"> = {
    checks: [],
    comments: [],
    statuses: [],
    pulls: [],
    commits: new Set(),
    next: [],
  };
  const { checks, comments, statuses, pulls, commits, next } = state;
  const answer = (got: Got): Given => {
    onRequest(got);
    const planned = next.shift();
    if (planned !== undefined) return planned;
    const token = got.headers["authorization"]?.replace("Bearer ", "");
    if (token !== APP_TOKEN && token !== PERSONAL_TOKEN) return fail(401, "Bad credentials");
    const path = got.path.replace(`/repos/${REPOSITORY}`, "");
    if (path === got.path) return fail(404, "Not Found");
    const [route = "", query = ""] = path.split("?");
    const call = `${got.method} ${route}`;
    const json = got.json as never;
    if (call === "GET ") return { body: { full_name: REPOSITORY } };
    if (got.method !== "GET" && route.startsWith("/check-runs")) {
      if (token === PERSONAL_TOKEN) return fail(403, "Resource not accessible by personal access token");
      const { output } = json as { output?: { summary: string } };
      if (Buffer.byteLength(output?.summary ?? "") > MAX_TEXT) return fail(422, "Invalid request");
    }
    if (call === "POST /check-runs") {
      const check = { ...(json as FixtureCheck), id: number++ };
      if (!commits.has(check.head_sha)) return fail(422, `No commit found for SHA: ${check.head_sha}`);
      checks.push(check);
      return { status: 201, body: check };
    }
    const [, checkId] = /^PATCH \/check-runs\/(\d+)$/.exec(call) ?? [];
    if (checkId !== undefined) return change(checks, Number(checkId), json);
    const [, ofCommit] = /^GET \/commits\/(\w+)\/check-runs$/.exec(call) ?? [];
    if (ofCommit !== undefined)
      return { body: { check_runs: checks.filter(({ head_sha }) => head_sha === ofCommit) } };
    const [, pullsOf] = /^GET \/commits\/(\w+)\/pulls$/.exec(call) ?? [];
    if (pullsOf !== undefined) return { body: pulls.filter(({ head }) => head.sha === pullsOf) };
    const [, sha = ""] = /^POST \/statuses\/(\w+)$/.exec(call) ?? [];
    if (sha !== "") {
      if (!commits.has(sha)) return fail(422, `No commit found for SHA: ${sha}`);
      statuses.push({ ...(json as (typeof statuses)[number]), sha });
      return { status: 201, body: {} };
    }
    const [, pull] = /^GET \/pulls\/(\d+)$/.exec(call) ?? [];
    if (pull !== undefined) {
      const found = pulls.find((each) => each.number === Number(pull));
      return found === undefined ? fail(404, "Not Found") : { body: found };
    }
    if (call === "GET /issues/comments") {
      const since = new URLSearchParams(query).get("since") ?? "";
      return { body: comments.filter(({ updated_at }) => updated_at >= since) };
    }
    const [, commentId] = /^PATCH \/issues\/comments\/(\d+)$/.exec(call) ?? [];
    if (commentId !== undefined) return change(comments, Number(commentId), json);
    const [, method, issue] = /^(GET|POST) \/issues\/(\d+)\/comments$/.exec(call) ?? [];
    if (issue === undefined) return fail(404, "Not Found");
    const issue_url = `https://api.github.com/repos/${REPOSITORY}/issues/${issue}`;
    if (method === "GET") return { body: comments.filter((each) => each.issue_url === issue_url) };
    const at = new Date().toISOString();
    const user = { id: 1, login: "bot" };
    const { body } = json as { body: string };
    if (Buffer.byteLength(body) > MAX_TEXT) return fail(422, "body is too long");
    comments.push({ id: number++, user, issue_url, created_at: at, updated_at: at, body });
    return { status: 201, body: comments.at(-1) };
  };
  return { ...state, ...(await startService(answer)) };
}

const fail = (status: number, message: string): Given => ({ status, body: { message } });

function change(all: readonly { id: number }[], id: number, changes: object): Given {
  const found = all.find((each) => each.id === id);
  if (found === undefined) return fail(404, "Not Found");
  return { body: Object.assign(found, changes) };
}
