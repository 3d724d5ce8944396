// Measures what is claimed about fixed and variable steps: docs/claims.md has the table. All but the cost is in virtual time.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { compare, interleave, rounded } from "./rounds.mjs";

const isQuick = process.argv.includes("--quick");
// Processor time: a round is long, and other load must not count.
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const SECONDS = { warmUp: 0, rounds: isQuick ? 5 : 40, now };
const PLAYS = isQuick ? 2 : 5;

await RAPIER.init();
// The scenes are TypeScript, and shared with the tests.
const { outputFiles } = await build({
  stdin: {
    contents: `
      export * from "./scenes/claims.js";
      export { balls, ballsScript } from "./scenes/balls.js";
      export { pileScript, rapierPile } from "./scenes/rapier-pile.js";
      export { localSession, simulation } from "./src/sim/index.js";`,
    resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const scenes = await import(`data:text/javascript;base64,${code}`);
const { balls, ballsScript, localSession, pileScript, rapierPile, simulation } = scenes;

const tunnelling = scenes.tunnellingFigures();
const { hitch, ...byRate } = tunnelling;
const column = (figures, figure) =>
  Object.fromEntries(Object.entries(figures).map(([fps, values]) => [`${fps} fps`, values[figure]]));
console.log("Bullets of 1000 px/s that pass through a wall of 32 px, in %");
console.table(Object.fromEntries(Object.entries(byRate).map(([name, at]) => [name, column(at, "missed")])));
console.log("How deep in the wall hits are noticed, px at most");
console.table(Object.fromEntries(Object.entries(byRate).map(([name, at]) => [name, column(at, "depth")])));
console.log("The same at 60 fps with one frame of 117 ms per second");
console.table(hitch);

const { stackStanding, stackHit, ...motion } = scenes.motionFigures(RAPIER);
console.log("With variable steps at 30, 60 and 144 fps, in px; `differs`: 30 from 60 fps in %");
console.table(motion);
console.log(
  "A stack of ten boxes after 5 s: how far boxes at 30 fps are from those at 60 fps, in % of a box",
);
const flat = ({ variable, fixed }) => ({ mean: variable.mean, max: variable.max, "fixed steps": fixed.max });
console.table({ standing: flat(stackStanding), "hit by a ball": flat(stackHit) });

const divergence = scenes.divergenceFigures();
console.log(
  "Clients at 60 fps and at 30 or 144 fps: seconds until a bit, 1 px and 20 px differ; % of moments that do",
);
for (const fps of [30, 144])
  console.table(
    Object.fromEntries(Object.entries(divergence).map(([name, pairs]) => [`${name}, ${fps}`, pairs[fps]])),
  );

/** Returns a function that simulates the next second at a rate, with the same inputs at the same times. */
function second(scene, script, rate, hasView) {
  const session = localSession(simulation({ ...scene.options, rate }), {
    inputs: (players, { tick }) => script(players, Math.floor((tick * 60) / rate)),
    ...(hasView ? {} : { present: "none" }),
  });
  return () => {
    for (let frame = 0; frame < 60; frame++) {
      if ((frame * rate) % 60 === 0) session.advance();
      if (hasView) session.view(((frame * rate) % 60) / 60);
    }
  };
}

/**
 * The processor time of 30 steps per second over that of 60, for the same simulated time. All plays are the same, and other
 * load only adds to a time, so the minimum of each second counts.
 */
function costs() {
  const cases = {
    "1,000 balls": [balls, ballsScript, false],
    "1,000 balls, blended 60 times per second": [balls, ballsScript, true],
    "Rapier, 240 bodies": [rapierPile(RAPIER), pileScript, false],
  };
  return Object.fromEntries(
    Object.entries(cases).map(([name, [scene, script, hasView]]) => {
      const best = [30, 60].map(() => new Float64Array(SECONDS.rounds).fill(Infinity));
      for (let play = 0; play < PLAYS; play++) {
        const contenders = [30, 60].map((rate) => ({ run: second(scene, script, rate, hasView) }));
        interleave(contenders, SECONDS).forEach((times, i) =>
          times.forEach((time, j) => (best[i][j] = Math.min(best[i][j], time))),
        );
      }
      const [half, full] = best;
      const sum = (times) => times.reduce((all, one) => all + one, 0);
      const { p25, median, p75 } = compare(half, full);
      return [
        name,
        {
          "30 over 60": rounded(sum(half) / sum(full)),
          "median second": rounded(median),
          "25 to 75 %": `${rounded(p25)} to ${rounded(p75)}`,
        },
      ];
    }),
  );
}
const cost = costs();
console.log(`Processor time of 30 steps per second over 60: ${SECONDS.rounds} simulated seconds`);
console.table(cost);

if (process.argv.includes("--json")) {
  const [pile, blended, rapier] = Object.values(cost).map((figures) => figures["30 over 60"]);
  console.log(
    JSON.stringify({
      bench: "claims",
      tunnelling,
      motion: { ...motion, stackStanding, stackHit },
      divergence,
      costOf30Over60: { pile, blended, rapier },
    }),
  );
}
