import { describe, expect, it } from "vitest";
import { identifyCommand } from "./identify-command.ts";

const actionOf = (line: string) => identifyCommand(line.split(" ")).action;

describe("a command of ansible", () => {
  it.each([
    "--check site.yml",
    "site.yml -C",
    "-bC site.yml",
    "site.yml --list-tasks",
    "--syntax-check site.yml",
  ])("only looks: %s", (args) => {
    expect(actionOf(`ansible-playbook ${args}`)).toBe("infra.ansible.plan");
  });

  it.each([
    "site.yml",
    "-eC=1 site.yml",
    "-iCluster site.yml",
    "-vlClients site.yml",
    "site.yml -- --check -C",
  ])("changes something: %s", (args) => {
    expect(actionOf(`ansible-playbook ${args}`)).toBe("infra.ansible.apply");
  });
});
