// The arcade game, with a step that never returns.
import { serveSimulation } from "../../src/worker/index.js";
import { withStep } from "./virtual-arcade.js";

serveSimulation(
  withStep((tick) => {
    while (tick === 30);
  }),
);
