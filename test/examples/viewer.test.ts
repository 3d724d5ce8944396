// The view client for real: one process simulates, others show it.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { localSession } from "tickwise/sim";
import { ROOT } from "../../scripts/setup.mjs";
import { game } from "../../examples/viewer/game.mjs";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a program of the example. Returns all lines that it has written so far. */
function start(program: string, argument: string): { child: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, [`examples/viewer/${program}.mjs`, argument], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => lines.push(line));
  return { child, lines };
}

const simulated = (lines: string[]) => lines.filter((line) => line.startsWith("tick"));

/** The states that a viewer got: ticks and angles. */
const statesOf = (lines: string[]) =>
  new Map(
    lines.flatMap((line) => {
      const [, tick, angle] = /state (\d+): (\S+),/.exec(line) ?? [];
      return tick === undefined ? [] : [[Number(tick), Number(angle)] as const];
    }),
  );

/** Throws unless all states are those of a game on one thread, to the bit. Returns the angles of all ticks, as viewers write them. */
function compareWithLocal(states: Map<number, number>): Set<string> {
  const local = localSession(game, { seed: 7 });
  const last = Math.max(...states.keys());
  const expected = new Map<number, number>();
  const angles = new Set<string>();
  for (; local.tick <= last; local.advance()) {
    const { angle } = local.world;
    angles.add(angle.toFixed(4));
    if (states.has(local.tick)) expected.set(local.tick, angle);
  }
  expect(states).toEqual(expected);
  return angles;
}

test("a viewer in another process shows the same states, blended", async () => {
  const { lines: told } = start("simulate", "0");
  await expect.poll(() => told[0]).toMatch(/^ws:/);
  const { lines } = start("view", told[0]!);
  await expect.poll(() => statesOf(lines).size).toBeGreaterThan(20);
  const angles = compareWithLocal(statesOf(lines));
  const shown = lines.map((line) => /shows (\S+),/.exec(line)![1]!);
  expect(shown.some((angle) => !angles.has(angle))).toBe(true);
});

test.skipIf(process.platform === "win32")(
  "a suspended viewer does not hold up the simulation, and catches up; the end of the simulation ends it",
  async () => {
    const { child: simulation, lines: told } = start("simulate", "0");
    await expect.poll(() => told[0]).toMatch(/^ws:/);
    const { child: viewer, lines } = start("view", told[0]!);
    await expect.poll(() => statesOf(lines).size).toBeGreaterThan(3);
    viewer.kill("SIGSTOP");
    const before = simulated(told).length;
    await expect.poll(() => simulated(told).length).toBeGreaterThan(before + 1);
    const tick = Number(/tick (\d+)/.exec(told.at(-1)!)![1]);
    viewer.kill("SIGCONT");
    await expect.poll(() => Math.max(...statesOf(lines).keys())).toBeGreaterThan(tick);
    compareWithLocal(statesOf(lines));
    simulation.kill("SIGKILL");
    await expect.poll(() => viewer.exitCode).toBe(0);
    expect(lines.at(-1)).toBe("The simulation is gone: connection lost");
  },
);
