import { simulation } from "../src/sim/index.js";
import { f64, layout, table, u32 } from "../src/state/index.js";

const AGENTS = 1000;
const LANDMARKS = 64;
const RATE = 60;
/** How often each agent thinks, per second. */
const THINK_RATE = 4;

/** When the agents of a crowd think: all in every step; all in a beat; or a few in each step, in turns. */
export type Thinking = "every step" | "in a beat" | "in turns";

const state = layout({
  /** Agents that have thought so far, and in the last step. */
  thoughts: u32,
  now: u32,
  agents: table(AGENTS, { x: f64.lerp, y: f64.lerp, vx: f64, vy: f64 }),
});
type Agents = ReturnType<typeof state.allocate>["world"]["agents"];

/** Heads for the nearest landmark. Takes much longer than a step of an agent. */
function think({ x, y, vx, vy }: Agents, row: number, tick: number): void {
  let [best, bestX, bestY] = [Infinity, 0, 0];
  for (let i = 0; i < LANDMARKS; i++) {
    const landmarkX = (i * 37 + tick) % 100;
    const landmarkY = (i * 61 + tick) % 100;
    const [dx, dy] = [landmarkX - x[row]!, landmarkY - y[row]!];
    const distance = dx * dx + dy * dy;
    if (distance >= best) continue;
    best = distance;
    bestX = dx;
    bestY = dy;
  }
  vx[row] = bestX * 0.1;
  vy[row] = bestY * 0.1;
}

/** A crowd whose agents move in every step, and think less often. It shows what that saves. */
export const crowd = (thinking: Thinking) => {
  const stride = RATE / THINK_RATE;
  const thinkAll = (world: ReturnType<typeof state.allocate>["world"], tick: number, first = 0, by = 1) => {
    for (let row = first; row < AGENTS; row += by) {
      think(world.agents, row, tick);
      world.thoughts++;
      world.now++;
    }
  };
  return simulation({
    name: "crowd",
    version: 1,
    rate: RATE,
    state,
    beats:
      thinking === "in a beat"
        ? { think: { rate: THINK_RATE, run: (world, { tick }) => thinkAll(world, tick) } }
        : {},
    init(world, { random }) {
      for (let i = 0; i < AGENTS; i++) world.agents.add({ x: 100 * random.float(), y: 100 * random.float() });
    },
    step(world, _, { tick, dt }) {
      if (thinking !== "in a beat") {
        world.now = 0;
        if (thinking === "every step") thinkAll(world, tick);
        else thinkAll(world, tick, tick % stride, stride);
      } else if (tick % stride !== 0) world.now = 0;
      const { x, y, vx, vy } = world.agents;
      for (let row = 0; row < AGENTS; row++) {
        x[row]! += vx[row]! * dt;
        y[row]! += vy[row]! * dt;
      }
    },
  });
};
