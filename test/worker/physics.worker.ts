import { serveSimulation } from "../../src/worker/index.js";
import { physics } from "./physics.js";

serveSimulation(physics);
