import { serveSimulation } from "tickwise/worker";
import { game } from "./game.js";

serveSimulation(game);
