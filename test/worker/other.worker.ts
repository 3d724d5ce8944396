// Another simulation than the page expects.
import { f64, layout } from "../../src/state/index.js";
import { simulation } from "../../src/sim/index.js";
import { serveSimulation } from "../../src/worker/index.js";

serveSimulation(
  simulation({ name: "other", version: 3, rate: 60, players: 1, state: layout({ x: f64 }), step() {} }),
);
