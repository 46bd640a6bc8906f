// Loaded before the program: writes the packages that it loads to the file $CAIRN_TEST_PACKAGES, one a line.
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const packages = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(found.url)?.[1];
    if (name !== undefined) packages.add(name);
    return found;
  },
});
process.on("exit", () => writeFileSync(process.env.CAIRN_TEST_PACKAGES, [...packages].join("\n")));
