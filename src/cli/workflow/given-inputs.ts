import { CheckpointError } from "../../errors.ts";

/** `--input KEY=VALUE` as it was typed; of several with one key the last counts. */
export function givenInputs(typed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    typed.map((text) => {
      const at = text.indexOf("=");
      if (at <= 0) throw notAnInput(text);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function notAnInput(text: string): CheckpointError {
  return new CheckpointError("usage", `--input: "${text}" has no name and value.`, {
    hint: "--input KEY=VALUE, as in --input feature=login",
  });
}
