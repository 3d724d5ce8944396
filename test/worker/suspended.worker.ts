// A worker that a message suspends: it stands still for the given number of milliseconds.
import { serveSimulation } from "../../src/worker/index.js";
import { ownPort, Port } from "../../src/worker/port.js";
import { arcade } from "./arcade.js";

serveSimulation(arcade);
new Port("test", ownPort("test"), {
  onMessage(data) {
    const { suspend = 0 } = Object(data) as { suspend?: number };
    for (const end = performance.now() + suspend; performance.now() < end;);
  },
});
