// A worker that stands still for as many milliseconds as it is told, as if it were suspended.
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
