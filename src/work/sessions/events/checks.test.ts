import { describe, expect, it } from "vitest";
import { checkResult } from "./checks.ts";
import { covers, uncovered } from "./covers.ts";

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

  it("tells several checks in a row together: any of them may have failed", () => {
    const both = "npm run lint && npm test";
    expect(result(both, false)).toEqual({ check: both, ok: false });
    expect(result(both, true)).toEqual({ check: both, ok: true });
    expect(result("npm run lint; npm test", false)).toEqual({ check: "npm test", ok: false });
    expect(result("npm run lint | tail -3 && npm test", false)).toEqual({ check: "npm test", ok: false });
  });

  it("does not blame a check that passed for what came after it", () => {
    const push = "error: failed to push some refs";
    expect(result("npm test && git push", false, `Tests  4 passed (4)\n${push}`)).toBeUndefined();
    expect(result("npm test && git push", false, "Tests  1 failed | 3 passed")?.ok).toBe(false);
    expect(result("npm test && git push", true, "")).toEqual({ check: "npm test", ok: true });
    expect(result("npm test & sleep 1", true, "")).toBeUndefined();
  });

  it.each([
    ["make test 2>&1 | tail -3", "make: *** [Makefile:2: test] Error 1", false],
    ["vendor/bin/phpunit | tail", "FAILURES!\nTests: 3, Assertions: 3, Failures: 1.", false],
    ["go build ./... 2>&1 | head", "./main.go:3:2: undefined: x", false],
    ["npm test | tail", "ℹ pass 10\nℹ fail 2", false],
    ["npm test | tail", "ℹ pass 10\nℹ fail 0", true],
    ["npx vitest run | tail", " ✓ reports 2 errors\n Tests  12 passed (12)", true],
    ["(cd a && npm test)", "Tests  4 passed (4)", true],
  ])("reads the output of %s: %s", (command, output, ok) => {
    expect(result(command, null, output)?.ok).toBe(ok);
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
    ["npm run test", "npm test"],
    ["make -j4 check", "make check"],
    ["./node_modules/.bin/vitest run --reporter=dot", "npx vitest run"],
    ["npm run lint && npm test", "npm run lint"],
    ["npm test", "npm test (in packages/a)"],
    ["npm test (in packages/a)", "npm test login (in packages/a)"],
  ])("holds for a check that looks at all of it: %s, %s", (passed, failed) => {
    expect(covers(passed, failed)).toBe(true);
  });

  it.each([
    ["npm test login", "npm test"],
    ["npm run lint", "npm test"],
    ["go test ./cmd", "go test ./internal"],
    ["go vet ./...", "go test ./..."],
    ["npm test", "npm run test:e2e"],
    ["vitest run --testNamePattern=login", "vitest run"],
    ["go test -run=TestLogin ./...", "go test ./..."],
    ["go test -short ./...", "go test ./..."],
    ["cargo test --lib", "cargo test"],
    ["pytest --lf", "pytest"],
    ["mvn test -Dtest=Login", "mvn test"],
    ["tsc --version", "tsc"],
    ["npm test --workspace=a", "npm test --workspace=b"],
    ["npm test", "npm test -w b"],
    ["vitest run", "vitest run --config vitest.e2e.ts"],
    ["npm test (in packages/b)", "npm test (in packages/a)"],
    ["npm test", "npm run lint && npm test"],
  ])("does not hold for less, or for another: %s, %s", (passed, failed) => {
    expect(covers(passed, failed)).toBe(false);
  });

  it("leaves of several checks in a row those that did not pass", () => {
    expect(uncovered("npm test", "npm run lint && npm test (in app)")).toBe("npm run lint (in app)");
  });
});
