import { describe, expect, it } from "vitest";
import { checkResult, covers } from "./checks.ts";

const result = (command: string, ok: boolean | null, output = "") => checkResult({ command, ok, output });

describe("checkResult", () => {
  it.each([
    ["npm test", "npm test"],
    ["npm run test:unit -- --run", "npm run test:unit -- --run"],
    ["npx --yes vitest run a.test.ts", "npx --yes vitest run a.test.ts"],
    ["cd app && CI=1 pnpm lint", "pnpm lint"],
    ["./node_modules/.bin/tsc --noEmit", "./node_modules/.bin/tsc --noEmit"],
    ["python3 -m pytest -x tests", "python3 -m pytest -x tests"],
    ["timeout 60 cargo clippy --all", "cargo clippy --all"],
    ["nice -n 10 go vet ./... 2>&1", "go vet ./..."],
    ["node --import ./x.js --test", "node --import ./x.js --test"],
    ["make -j4 check", "make -j4 check"],
    ["./gradlew :app:test build", "./gradlew :app:test build"],
  ])("knows %s", (command, check) => {
    expect(result(command, false)).toEqual({ check, ok: false });
    expect(result(command, true)).toEqual({ check, ok: true });
  });

  it.each([
    "ls",
    "npm ci",
    "npm install",
    "git commit -m test",
    "echo npm test",
    "cargo run",
    "cat test.txt",
    "docker build .",
    "",
  ])("takes %s for no check", (command) => expect(result(command, false)).toBeUndefined());

  it("believes the output where the exit status is that of something else, or is not told", () => {
    const failed = { check: "npm test", ok: false };
    expect(result("npm test | tail -5", true, "Tests  2 failed | 3 passed")).toEqual(failed);
    expect(result("npm test; true", true, "npm ERR! Test failed")).toEqual(failed);
    expect(result("npm test", null, "error TS2322: Type")).toEqual(failed);
    expect(result("npm test", null, "Tests  4 passed (4)")).toEqual({ check: "npm test", ok: true });
    expect(result("npm test", null, "hello")).toBeUndefined();
    expect(result("npm test | tail -5", false, "")).toEqual(failed);
  });

  it("is quick about commands and outputs that were made to be slow", () => {
    const started = performance.now();
    result("npm ".repeat(400), false);
    result(`A=${"a ".repeat(900)}`, false);
    result("npm test", null, "1 ".repeat(8000));
    result("npm test", null, "\n".repeat(16_000));
    result("npm test", null, `${" ".repeat(8000)}x`.repeat(2));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("covers", () => {
  it.each([
    ["npm test", "npm test login"],
    ["go test ./...", "go test ./cmd/entire -run TestLogin"],
    ["go test ./cmd/...", "go test ./cmd/entire"],
    ["npx vitest run src", "npx vitest run src/login.test.ts"],
    ["mise run test:ci", "mise run test:ci"],
  ])("holds for a check that looks at all of it: %s, %s", (passed, failed) => {
    expect(covers(passed, failed)).toBe(true);
  });

  it.each([
    ["npm test login", "npm test"],
    ["npm run lint", "npm test"],
    ["go test ./cmd", "go test ./internal"],
    ["go vet ./...", "go test ./..."],
  ])("does not hold for less, or for another: %s, %s", (passed, failed) => {
    expect(covers(passed, failed)).toBe(false);
  });
});
