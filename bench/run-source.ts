// The command from its sources, unbundled, for what is counted in them.
import { main } from "../src/doors/command/main.ts";

await main();
