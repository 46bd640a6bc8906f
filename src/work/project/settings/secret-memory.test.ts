import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decide, now, openProject } from "../../../doors/library/project.ts";
import { createRedactor } from "../../../core/redaction/redactor.ts";
import { secretMemory } from "./secret-memory.ts";

const SECRET = "Tr0ub4dor&3-horse";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-memory-"));
  mkdirSync(join(root, "project"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = () => ({ HOME: root, XDG_STATE_HOME: join(root, "state") });

/** A redactor as a process of its own has it. */
function redactorAt(time = "2026-01-23T12:00:00Z") {
  const place = { env: env(), root: join(root, "project"), now: () => new Date(time) };
  return createRedactor({ memory: secretMemory(place) });
}

describe("a secret that was found under its name", () => {
  it("is found without it from then on, in the same text and by other processes", () => {
    const { redactText } = redactorAt();
    expect(redactText(`try ${SECRET} then`).value).toBe(`try ${SECRET} then`);
    expect(redactText(`${SECRET}\nDB_PASSWORD=${SECRET}\n`).value).toBe(
      "[redacted:secret]\nDB_PASSWORD=[redacted:password]\n",
    );
    const other = redactorAt();
    expect(other.redactText(`it was "${SECRET}", (${SECRET}) or app:${SECRET}.`).value).toBe(
      'it was "[redacted:secret]", ([redacted:secret]) or app:[redacted:secret].',
    );
    expect(other.redact({ notes: [SECRET] }).value).toEqual({ notes: ["[redacted:secret]"] });
  });

  it.each([
    (secret: string) => `app:${secret}@db.example.com`,
    (secret: string) => `https://example.com/${secret}/x?a=${secret}&b=2`,
    (secret: string) => `| admin |${secret}|`,
    (secret: string) => `<value>${secret}</value> or **${secret}**`,
    (secret: string) => JSON.stringify({ stdout: `first\n${secret}\tlast` }),
    (secret: string) => `\u001B[31m${secret}\u001B[0m`,
    (secret: string) => `x ${encodeURIComponent(secret)} y`,
    (secret: string) => Buffer.from(`the value is ${secret} today`).toString("base64"),
  ])("is found in other company: %#", (place) => {
    const { redact, redactText } = redactorAt();
    redact({ db_password: SECRET });
    expect(redactText(place(SECRET)).value).not.toMatch(/Tr0ub|horse|VHIwdWI0/);
    const longer = place(`x${SECRET}`);
    expect(redactText(longer).value).toBe(longer);
  });

  it("is found again though a pattern of the user's own found it", () => {
    const place = { env: env(), root: join(root, "project"), now: () => new Date() };
    const extraPatterns = [{ name: "badge", pattern: /badge (?<secret>\S{8,12})/ }];
    const { redactText } = createRedactor({ extraPatterns, memory: secretMemory(place) });
    redactText("badge qz7-xw9-kk");
    expect(redactText("so qz7-xw9-kk it is").value).toBe("so [redacted:secret] it is");
  });

  it("is remembered though many were before, day after day", () => {
    for (let day = 10; day < 30; day += 1) {
      const { redact } = redactorAt(`2026-01-${day}T12:00:00Z`);
      for (let count = 0; count < 300; count += 1) redact({ db_password: `Tr0ub4dor&${day}-${count}` });
    }
    redactorAt("2026-01-30T12:00:00Z").redact({ db_password: SECRET });
    expect(redactorAt("2026-01-30T12:00:01Z").redactText(SECRET).value).toBe("[redacted:secret]");
  });

  it("is kept as a keyed hash only, for a day, where only this user can read it", () => {
    redactorAt().redact({ db_password: SECRET });
    const folder = join(root, "state/cairn/secrets");
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name), "latin1")).not.toContain(SECRET);
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    }
    expect(redactorAt("2026-01-24T11:00:00Z").redactText(SECRET).value).toBe("[redacted:secret]");
    expect(redactorAt("2026-01-24T13:00:00Z").redactText(SECRET).value).toBe(SECRET);
  });

  it("makes no word a secret, and nothing worse than forgetting comes of a damaged memory", () => {
    redactorAt().redactText("password: development\nDB_PASSWORD=swordfish\n");
    expect(redactorAt().redactText("the development of swordfish").value).toBe(
      "the development of swordfish",
    );
    redactorAt().redact({ db_password: SECRET });
    const folder = join(root, "state/cairn/secrets");
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "torn");
    const { redactText } = redactorAt();
    expect(redactText(SECRET).value).toBe(SECRET);
    expect(redactText(`DB_PASSWORD=${SECRET}`).value).not.toContain(SECRET);
    expect(redactorAt().redactText(SECRET).value).toBe("[redacted:secret]");
  });

  it("reaches no checkpoint that is saved later", async () => {
    const project = openProject({ path: join(root, "project"), env: env() });
    await now(project, { variables: { db_password: SECRET } });
    const { decision } = await decide(project, { what: `Use ${SECRET} for staging` });
    await project.stores.close();
    expect(decision.what).toBe("Use [redacted:secret] for staging");
    const folder = join(root, "project/.cairn");
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), "latin1")).not.toContain(SECRET);
  });
});
