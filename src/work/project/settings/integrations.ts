import { realpathSync } from "node:fs";
import { closed, enumOf, list, map, type Shape, type ValueOf, withMore } from "../../shape/shape.ts";
import { id, text, valueThat } from "../../yaml/words.ts";
import { FEED_KINDS } from "../feed/feed-event.ts";
import { digestOf, isRemembered, remember, type User } from "../remembered.ts";
import type { Configured } from "./settings.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** What is wrong with it is not repeated: it may hold a password. */
const webhookUrl: Shape<string> = withMore(
  { type: "string", pattern: "^https?://" },
  {
    check: (value, path, faults) => {
      const url = typeof value === "string" ? URL.parse(value) : null;
      const isPrivate =
        url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.includes(url.hostname));
      if (!isPrivate || url.username !== "" || url.password !== "")
        faults.add(
          path,
          "A webhook needs an https address without a password in it; http is for this machine only.",
          "Write it like this: https://example.com/hooks/cairn",
        );
    },
  },
);

const repository = valueThat<string>(
  "the name of a repository",
  (value) => typeof value === "string" && /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(value),
  "example/shop",
  { type: "string" },
);

const channel = valueThat<string>(
  "the id of a channel",
  (value) => typeof value === "string" && /^[CGD][A-Z0-9]{2,30}$/.test(value),
  "C0123456789",
  { type: "string" },
);

/** Where events go, and who may answer from there. Names no secret: these come from the environment. */
export const integrationFields = closed({
  webhooks: list(closed({ name: id, url: webhookUrl, kinds: list(enumOf(...FEED_KINDS)) }, ["name", "url"])),
  github: closed({ repository, approvers: map(text) }, ["repository"]),
  slack: closed({ channel, approvers: map(text) }, ["channel"]),
});

export type IntegrationSettings = ValueOf<typeof integrationFields>;

/** Whether they may be used: a repository must not choose where work goes, or who approves, for those who open it. */
export function areIntegrationsAccepted(
  user: User,
  root: string,
  { integrations, sources }: Pick<Configured, "integrations" | "sources">,
): boolean {
  if (integrations === undefined || sources["integrations"] !== "project") return true;
  return isRemembered(user, factsOf(root, integrations));
}

/** Records that this user wants the project's integrations, exactly as they are. */
export function acceptIntegrations(user: User, root: string, integrations: IntegrationSettings): void {
  remember(user, factsOf(root, integrations));
}

const factsOf = (root: string, integrations: IntegrationSettings): string[] => [
  "integrations",
  realpathSync(root),
  digestOf(JSON.stringify(integrations)),
];
