// Runs the commands and the code of docs/verifying.md, and compares their output with the page.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { blocksOf, expectedOutputOf, firstMismatch } from "../docs/blocks.js";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";
import { Fleet } from "./fleet.js";

const page = readFileSync(join(ROOT, "docs/verifying.md"), "utf8");
const commands = [...page.matchAll(/^```console\n\$ npx tickwise (.*)\n([^]*?)```$/gm)].map(
  ([, command, shown]) => [command!, shown!] as const,
);
const blocks = blocksOf("docs/verifying.md", page);

const RECORD = `
import { writeFileSync } from "node:fs";
import { record } from "tickwise/replay";
import { localSession } from "tickwise/sim";
import { game, make } from "./game.mjs";

const forging = make((world, tick) => { if (tick === 100) world.score += 1000; });
for (const [name, played] of [["fair", game], ["forged", forging]]) {
  const inputs = ([player], { tick }) => { player.jump = [10, 30, 50].includes(tick); };
  const session = localSession(played, { inputs });
  const recorder = record(session, { keyframes: 1 });
  session.skip(600);
  writeFileSync("replays/" + name + ".twr", recorder.bytes());
}
`;

const GAME = `
import { button, simulation } from "tickwise/sim";
import { layout, u32 } from "tickwise/state";

export const make = (cheat = () => {}) => simulation({
  name: "crates", version: 1, rate: 60, state: layout({ score: u32 }), input: { jump: button },
  step(world, [player], { tick }) {
    if (player.pressed.jump) world.score++;
    cheat(world, tick);
  },
});
export const game = make();
`;

test("the page has commands and code", () => expect([commands.length, blocks.length]).toEqual([1, 2]));

describe.skipIf(!hasRedis)(`docs/verifying.md${REDIS_NOTE}`, () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start();
    const { project } = fleet;
    project.write("game.mjs", GAME);
    project.write("record.mjs", RECORD);
    for (const [, path, code] of page.matchAll(/^```js\n\/\/ (\S+)\n([^]*?)```$/gm)) {
      mkdirSync(join(project.path(path!), ".."), { recursive: true });
      project.write(path!, code!);
    }
    const { status, stderr } = await project.run(process.execPath, ["record.mjs"]);
    if (status !== 0) throw new Error(stderr);
    fleet.worker("--jobs", "1");
  });
  afterAll(() => fleet?.stop());

  const here = (text: string) => text.replaceAll("redis://127.0.0.1:6379", fleet.url);

  test.each(commands)("tickwise %s", async (command, shown) => {
    const { stdout, stderr } = await fleet.project.tickwise(...here(command).split(" "));
    expect([stdout, stderr]).toEqual([shown, ""]);
  });

  test.each(blocks)("the code from line $line", async (block) => {
    // The blocks have no types, so they are JavaScript.
    fleet.project.write("block.mjs", here(block.code));
    const { stdout, stderr, status } = await fleet.project.run(process.execPath, ["block.mjs"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(firstMismatch(expectedOutputOf(block), stdout.trimEnd().split("\n"))).toBeUndefined();
  });
});
