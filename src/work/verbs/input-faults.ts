import type { Path } from "../../core/objects/json.ts";
import { check, type Faults } from "../shape/check.ts";
import type { Shape } from "../shape/shape.ts";

/** What is wrong with a value, each with where it stands: `limit: 0 is less than 1`. Empty if it has the shape. */
export function faultsOf(value: unknown, shape: Shape): readonly string[] {
  const faults = new InputFaults();
  check(value, shape, faults);
  return faults.all;
}

/** In words for programs, which send JSON. */
class InputFaults implements Faults {
  readonly all: string[] = [];

  add(path: Path, message: string): void {
    this.all.push(path.length === 0 ? message : `${path.join(".")}: ${message}`);
  }

  wrong(path: Path, value: unknown, what: string): void {
    const isBlank = typeof value === "string" && value.trim() === "" && what === "a text";
    const shown = (JSON.stringify(value) ?? String(value)).slice(0, 60);
    this.add(path, isBlank ? "it is empty" : `${shown} is not ${what.replace("a map", "an object")}`);
  }

  missing(path: Path, key: string): void {
    this.add([...path, key], "it is missing");
  }

  unknown(path: Path, key: string, known: readonly string[]): void {
    this.add([...path, key], `unknown; known are ${known.join(", ")}`);
  }
}
