// The simulation. It uses no page and no clock, so the tests can run it headless.
import { cos, sin } from "tickwise/math";
import { button, simulation } from "tickwise/sim";
import { f64, id, layout, table, skipBlend, u32, type RowId, type World } from "tickwise/state";
import { Ecs } from "./ecs.js";

export const WIDTH = 768;
export const HEIGHT = 432;
const ROCKS = 6;

const state = layout({
  ship: id,
  things: table(256, {
    parts: u32, // one bit for each component below
    position: { x: f64.lerp, y: f64.lerp },
    velocity: { x: f64, y: f64 },
    heading: { angle: f64.angle },
    round: { radius: f64 },
    life: { left: f64 },
  }),
});

type Game = World<typeof state.fields>;

export const game = simulation({
  name: "rocks",
  version: 1,
  rate: 30,
  state,
  input: { left: button, right: button, fire: button },
  effects: { burst: { x: f64, y: f64, radius: f64 } },
  external: { ecs: () => new Ecs() },

  init(world, { external: { ecs } }) {
    const { things } = world;
    const { position, velocity, heading, round, life } = things;
    ecs.bind(things.parts, [position, velocity, heading, round, life]);
    things.add(); // row 0: bitECS counts entities from 1
    world.ship = add(world, ecs, {
      parts: ecs.bits(position, velocity, heading),
      position: { x: 100, y: 100 },
      heading: { angle: 0.15 },
    });
  },

  step(world, [player], { dt, tick, random, emit, external: { ecs } }) {
    const { things } = world;
    const { position, velocity, round, life } = things;

    const ship = things.get(world.ship)!;
    ship.heading.angle += (Number(player.right) - Number(player.left)) * 3 * dt;
    const [x, y] = [cos(ship.heading.angle), sin(ship.heading.angle)];
    ship.velocity.x = 120 * x;
    ship.velocity.y = 120 * y;
    if (player.pressed.fire || tick % 15 === 0)
      add(world, ecs, {
        parts: ecs.bits(position, velocity, life),
        position: { x: ship.position.x + 16 * x, y: ship.position.y + 16 * y },
        velocity: { x: 360 * x, y: 360 * y },
        life: { left: 1.2 },
      });

    for (const row of ecs.rows(position, velocity)) {
      position.x[row]! += velocity.x[row]! * dt;
      position.y[row]! += velocity.y[row]! * dt;
      wrap(things, row);
    }

    for (const row of ecs.rows(life)) {
      life.left[row]! -= dt;
      const hit = ecs.rows(round).find((rock) => isWithin(things, row, rock));
      if (hit !== undefined) {
        const at = { x: position.x[hit]!, y: position.y[hit]! };
        const radius = round.radius[hit]!;
        emit("burst", { ...at, radius });
        remove(world, ecs, hit);
        for (let i = 0; i < 2 && radius > 12; i++) addRock(at, radius / 1.6);
      }
      if (hit !== undefined || life.left[row]! <= 0) remove(world, ecs, row);
    }

    if (ecs.rows(round).length === 0)
      for (let i = 0; i < ROCKS; i++)
        addRock({ x: random.float() * WIDTH, y: random.float() * HEIGHT }, 18 + 14 * random.float());

    function addRock(at: { x: number; y: number }, radius: number) {
      add(world, ecs, {
        parts: ecs.bits(position, velocity, round),
        position: at,
        velocity: { x: 60 * random.gaussian(), y: 60 * random.gaussian() },
        round: { radius },
      });
    }
  },
});

function add({ things }: Game, ecs: Ecs, values: Parameters<Game["things"]["add"]>[0]): RowId {
  const added = things.add(values);
  ecs.match(things.row(added));
  return added;
}

function remove({ things }: Game, ecs: Ecs, row: number): void {
  things.remove(things.id[row]!);
  ecs.match(row);
}

/** Moves a thing that has left the screen to the opposite side, without blending across. */
function wrap(things: Game["things"], row: number): void {
  const { x, y } = things.position;
  const margin = things.round.radius[row]! || 16;
  const [wide, high] = [WIDTH + 2 * margin, HEIGHT + 2 * margin];
  const [left, top] = [x[row]!, y[row]!];
  if (left < -margin || left > WIDTH + margin) x[row] = left < 0 ? left + wide : left - wide;
  if (top < -margin || top > HEIGHT + margin) y[row] = top < 0 ? top + high : top - high;
  if (x[row] !== left || y[row] !== top) skipBlend(things, row);
}

function isWithin({ position: { x, y }, round }: Game["things"], row: number, rock: number): boolean {
  const [dx, dy] = [x[row]! - x[rock]!, y[row]! - y[rock]!];
  return dx * dx + dy * dy < round.radius[rock]! * round.radius[rock]!;
}
