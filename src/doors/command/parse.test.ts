import { describe, expect, it } from "vitest";
import { isCheckpointError } from "../../core/errors.ts";
import { findCommand, parseOptions } from "./parse.ts";

describe("findCommand", () => {
  it.each([
    [["now"], "now", []],
    [["task", "add", "x"], "task add", ["x"]],
    [["--json", "list"], "list", ["--json"]],
    [["--trail", "list", "load"], "load", ["--trail", "list"]],
    [["--var", "a", "b", "now"], "now", ["--var", "a", "b"]],
    [["--trail=list", "load"], "load", ["--trail=list"]],
    [["task", "--json", "list"], "task list", ["--json"]],
    [["-C", "now", "list"], "list", ["-C", "now"]],
    [["-Cnow", "list"], "list", ["-Cnow"]],
    [["-q", "runs", "show", "x"], "runs show", ["-q", "x"]],
    [["runs", "other"], "runs", ["other"]],
  ])("%j is %s", (words, name, rest) => {
    expect(findCommand(words)).toEqual({ name, rest });
  });

  it("takes --help behind the first word of several commands for a question about them", () => {
    expect(findCommand(["task", "--help"])).toEqual({ name: "help", rest: ["task"] });
    expect(findCommand(["-h", "agent", "--json"])).toEqual({ name: "help", rest: ["agent", "--json"] });
    expect(findCommand(["task", "add", "--help"])).toEqual({ name: "task add", rest: ["--help"] });
  });

  it.each([
    ["rule", "lits", "checkpoint rule list"],
    ["rule", "show", "checkpoint rule list"],
    ["goal", "list", "checkpoint goal"],
    ["tag", "ls", "checkpoint tag"],
    ["tag", "delete", "checkpoint tag NAME --delete"],
    ["rule", "add", 'checkpoint rule "…"'],
    ["decide", "list", "checkpoint decision list"],
  ])("takes `%s %s` for a mistake, unless it stands behind --", (first, second, meant) => {
    const hint = `${meant}\nIf you mean the word itself: checkpoint ${first} -- ${second}`;
    expect(() => findCommand([first, second])).toThrow(expect.objectContaining({ code: "usage", hint }));
    expect(findCommand([first, "--", second])).toEqual({ name: first, rest: ["--", second] });
    expect(findCommand([first, `${second} of what is left`])).toMatchObject({ name: first });
  });

  it("finds none where there is none", () => {
    expect(findCommand([])).toBeUndefined();
    expect(findCommand(["--json"])).toBeUndefined();
    expect(findCommand(["--", "now"])).toBeUndefined();
  });

  it("knows only its own commands", () => {
    expect(() => findCommand(["constructor"])).toThrow('There is no command "constructor".');
    expect(() => findCommand(["toString"])).toThrow("There is no command");
  });
});

describe("parseOptions", () => {
  it("gives every option of the command, whether typed or not", () => {
    expect(parseOptions("diff", ["--exit-code", "--from", "a"])).toEqual({
      older: undefined,
      newer: undefined,
      from: "a",
      to: undefined,
      exitCode: true,
      trail: undefined,
      json: false,
      quiet: false,
      dir: undefined,
      store: undefined,
      insecure: false,
      noColor: false,
      noInput: false,
      help: false,
    });
  });

  it.each([
    ["decide", "--because", 'checkpoint decide … --why "…"'],
    ["reject", "--why", 'checkpoint reject … --reason "…"'],
    ["now", "--message", 'checkpoint now … --notes "…"'],
  ])("knows what %s %s means", (name, option, hint) => {
    expect(() => parseOptions(name, ["x", option, "y"])).toThrow(expect.objectContaining({ hint }));
  });

  it("takes pairs in all the forms that people type", () => {
    const pairs = (...words: string[]) => parseOptions("now", words)["var"];
    expect(pairs("--var", "a", "1", "--var", "b", "2")).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
    expect(pairs("--var", "a=1", "--var=b=2=3")).toEqual([
      ["a", "1"],
      ["b", "2=3"],
    ]);
    expect(pairs("--var", "a=1", "2")).toEqual([["a=1", "2"]]);
    expect(pairs("--var", "n", "-5")).toEqual([["n", "-5"]]);
  });

  it("splits lists of ids, but not sentences", () => {
    expect(parseOptions("task add", ["x", "--blocks", "1, 2,,3", "--blocks", "4"])["blocks"]).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    expect(parseOptions("goal", ["x", "--done-when", "a, b"])["done_when"]).toEqual(["a, b"]);
  });

  it("reads times", () => {
    const every = (text: string) => parseOptions("watch", ["--every", text])["every"];
    expect(["30s", "5m", "1h30m", "90"].map(every)).toEqual([30_000, 300_000, 5_400_000, 90_000]);
    for (const text of ["0s", "soon", "30d", "-1s", "0.5s"])
      expect(() => every(text)).toThrow("is not a time");
  });

  it("leaves everything after -- alone", () => {
    expect(parseOptions("set", ["--json", "--", "-x", "--y"])).toMatchObject({
      json: true,
      key: "-x",
      value: "--y",
    });
  });

  it("takes a dash before digits for a word, and a lone dash for stdin", () => {
    expect(parseOptions("unblock", ["-12"])).toMatchObject({ which: "-12" });
    expect(parseOptions("import", ["-", "-qC", "app"])).toMatchObject({ file: "-", quiet: true, dir: "app" });
  });

  it("asks for no arguments where help is asked for", () => {
    expect(parseOptions("set", ["--help"])).toMatchObject({ help: true });
  });

  it("refuses with usage, always", () => {
    for (const words of [["--nope"], ["--notes"], ["--json=1"], ["a"], ["-x"], ["--var", "a", "--json"]]) {
      const failure = attempt(() => parseOptions("now", words));
      expect({ words, isUsage: isCheckpointError(failure, "usage") }).toEqual({ words, isUsage: true });
    }
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
