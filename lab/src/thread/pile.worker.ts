// The pile on a thread of its own, for the page that draws it.
import { serveSimulation } from "../../../src/worker/index.js";
import { pile } from "./pile.js";

serveSimulation(pile);
