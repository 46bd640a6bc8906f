// The command from its sources, unbundled, for what is counted in them.
import { main } from "../src/cli/main.ts";

await main();
