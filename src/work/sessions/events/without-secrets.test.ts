import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { capped } from "../../../core/text/shorten.ts";
import { createRedactor } from "../../../core/redaction/redactor.ts";
import { withoutSecrets } from "./without-secrets.ts";

const words = (length: number) => "word ".repeat(length / 5);

function saved(prompt: string): string {
  return withoutSecrets({ prompt: capped(prompt, 8000) }, createRedactor()).prompt ?? "";
}

describe("a text that is too long to be kept whole", () => {
  // Where the gap begins and ends: 3980 characters from either end.
  const lines = Array.from({ length: 50 }, (_, index) =>
    createHash("sha512").update(String(index)).digest("base64").slice(0, 64),
  );
  const secrets: readonly (readonly [string, string, string])[] = [
    [
      "a private key",
      `-----BEGIN RSA PRIVATE KEY-----\n${lines.join("\n")}\n-----END RSA PRIVATE KEY-----`,
      lines[40] ?? "",
    ],
    ["a password in a URL", "postgres://admin:hunter2verysecret@db.example.com/x", "verysecret"],
    ["a password", "DB_PASSWORD=correct-horse-battery", "battery"],
  ];
  it.each(secrets)("does not keep half of %s that was cut in two", (_name, secret, part) => {
    for (let offset = 0; offset < secret.length; offset += Math.ceil(secret.length / 12)) {
      const behind = 3980 - secret.length + offset;
      const atTheEnd = `${words(20_000)}${secret} ${"y".repeat(Math.max(0, behind - 1)).replaceAll("yyyy", "you ")}`;
      expect(saved(atTheEnd)).not.toContain(part);
      const atTheBeginning = `${words(3980 - (3980 % 5)).slice(0, Math.max(0, 3980 - offset - 1))} ${secret}\n${words(20_000)}`;
      expect(saved(atTheBeginning)).not.toContain(part);
    }
  });
});
