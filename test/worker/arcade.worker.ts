import { serveSimulation } from "../../src/worker/index.js";
import { arcade } from "./arcade.js";

serveSimulation(arcade);
