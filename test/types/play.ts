// Checked by tsc alone: each line below a @ts-expect-error must be a type error.
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { rapier, type RapierState } from "../../src/rapier/index.js";
import { replayPlayer, type Replay } from "../../src/replay/index.js";
import {
  axis,
  button,
  drive,
  int,
  localSession,
  play,
  simulation,
  syncTest,
  type EffectOf,
  type ExternalState,
  type Inputs,
  type InputsOf,
  type LocalSession,
  type PlayerTuple,
  type Session,
  type SessionOf,
  type Simulation,
  type ViewOf,
  type WorldOf,
} from "../../src/sim/index.js";
import {
  bool,
  f64,
  layout,
  table,
  u32,
  type Hash,
  type ReadonlyWorld,
  type World,
} from "../../src/state/index.js";

/** Whether two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the types are identical. */
declare function same<A, B>(...problem: Same<A, B> extends true ? [] : ["these types differ"]): void;

const input = { left: button, aim: axis(8), slot: int(0, 9) };
const solo = simulation({
  name: "solo",
  version: 1,
  rate: 60,
  state: layout({ x: f64.lerp, crates: table(4, { hp: u32 }) }),
  input,
  effects: { thud: { force: f64, loud: bool }, click: {} },
  init(world, { random, players, external }) {
    world.x = random.float() + players;
    same<typeof external, {}>();
    // @ts-expect-error no such field
    world.y = 1;
  },
  step(world, inputs, { emit, external }) {
    same<typeof inputs, readonly [Inputs<typeof input>]>();
    same<typeof external, {}>();
    const [player] = inputs;
    world.x += player.aim + player.held.left;
    emit("thud", { force: 1, loud: player.pressed.left });
    emit("click");
    // @ts-expect-error inputs are read-only in a step
    player.left = true;
    // @ts-expect-error only buttons can be pressed
    void player.pressed.aim;
    // @ts-expect-error no such effect
    emit("bang");
    // @ts-expect-error a field is missing
    emit("thud", { force: 1 });
    // @ts-expect-error there is one player
    void inputs[1];
  },
});
const duel = simulation({
  name: "duel",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: f64.lerp }),
  input,
  step(world, [a, b]) {
    world.x += a.aim - b.aim;
  },
});

// `inputs` gets a tuple with one object per player, so noUncheckedIndexedAccess asks for no `!`.
localSession(solo, {
  inputs([player], { tick }) {
    player.left = tick > 3;
    player.aim = 0.5;
    player.slot = 9;
    // @ts-expect-error a button is a boolean
    player.left = 1;
    // @ts-expect-error no such input
    player.right = true;
    // @ts-expect-error `pressed` belongs to steps
    void player.pressed;
  },
});
localSession(duel, {
  inputs([a, b]) {
    a.left = b.left;
  },
});
play(duel, { inputs: ([a, b]) => void (a.aim = b.aim) });
syncTest(duel, { inputs: ([a, b]) => void (a.aim = b.aim) });
localSession(duel).setInputs(([a, b]) => void (a.aim = b.aim));
// @ts-expect-error there are two players, not three
localSession(duel, { inputs: ([a, b, c]) => void [a, b, c] });
// @ts-expect-error there are two players, not three
play(duel, { inputs: ([a, b, c]) => void [a, b, c] });
// @ts-expect-error there are two players, not three
syncTest(duel, { inputs: ([a, b, c]) => void [a, b, c] });
// @ts-expect-error there are two players, not three
localSession(duel).setInputs(([a, b, c]) => void [a, b, c]);
// @ts-expect-error there is one player
localSession(solo, { inputs: ([a, b]) => void [a, b] });

// A number of players that only the program knows makes an array.
declare const count: number;
const party = simulation({
  name: "party",
  version: 1,
  rate: 60,
  players: count,
  state: layout({ x: f64 }),
  input,
  step(_, inputs) {
    same<typeof inputs, readonly Inputs<typeof input>[]>();
  },
});
localSession(party, {
  inputs(players) {
    for (const player of players) player.left = true;
    // @ts-expect-error it may be undefined
    players[0].left = true;
  },
});
same<PlayerTuple<1, 3>, readonly [1, 1, 1]>();
same<PlayerTuple<1, 64>, readonly 1[]>();

// The types of a declared simulation.
type Fields = (typeof solo)["layout"]["fields"];
same<WorldOf<typeof solo>, World<Fields>>();
same<ViewOf<typeof solo>, ReadonlyWorld<Fields>>();
same<InputsOf<typeof solo>["length"], 1>();
same<InputsOf<typeof duel>["length"], 2>();
same<InputsOf<typeof party>["length"], number>();
same<EffectOf<typeof solo>["name"], "thud" | "click">();
same<EffectOf<typeof duel>, never>();
same<WorldOf<number>, never>();
same<SessionOf<string>, never>();

export function push(world: WorldOf<typeof solo>): void {
  world.x += 1;
  world.crates.add({ hp: 3 });
  // @ts-expect-error no such field
  world.y = 1;
}
export function draw(view: ViewOf<typeof solo>): number {
  // @ts-expect-error a view is read-only
  view.x = 1;
  // @ts-expect-error a view is read-only
  view.crates.add({ hp: 3 });
  return view.x + view.crates.count;
}
export function control([player]: InputsOf<typeof solo>): void {
  player.left = true;
  // @ts-expect-error no such input
  player.right = true;
}
export function hear(effect: EffectOf<typeof solo>): number {
  // @ts-expect-error a click has no force
  void effect.force;
  if (effect.name === "click") return effect.tick;
  const { loud }: { loud: boolean } = effect;
  return loud ? effect.force : 0;
}
export function show(session: SessionOf<typeof solo>): number {
  control([{ left: true, aim: 0, slot: 0 }]);
  session.on("effect", hear);
  session.setInputs(control);
  // @ts-expect-error no such event
  session.on("step", () => {});
  // @ts-expect-error the world of a session is read-only
  session.world.x = 1;
  return draw(session.view(0.5)) + session.world.x;
}

// These functions fit `play`, `drive` and `localSession`.
const started = play(solo, { render: draw, effect: hear, inputs: control });
const driven = drive(localSession(solo, { inputs: control }), { render: draw, effect: hear });
show(started.session);
show(driven.session);
show(localSession(solo));
const anySession: LocalSession = localSession(solo);
// @ts-expect-error a session of another simulation
show(localSession(duel));
// @ts-expect-error the view of another simulation
play(duel, { render: draw });
// @ts-expect-error the view of another simulation
drive(localSession(duel), { render: draw });

// External state, created inline, is fully typed in `init` and `step`.
const gravity = { x: 0, y: -9.81 };
class Counter implements ExternalState {
  count = 0;
  save = () => Uint8Array.of(this.count);
  load = ([saved]: Uint8Array) => void (this.count = saved!);
  hash = (): Hash => [this.count, 0];
}
const physical = simulation({
  name: "physical",
  version: 1,
  rate: 60,
  state: layout({ n: u32 }),
  external: {
    physics: rapier(RAPIER, () => new RAPIER.World(gravity)),
    counter: () => new Counter(),
  },
  init(_, { external }) {
    same<typeof external.physics, RapierState<RAPIER.World>>();
    same<typeof external.counter, Counter>();
    external.physics.world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 1));
    // @ts-expect-error no such external state
    void external.engine;
  },
  step(world, _, { external }) {
    same<typeof external.physics, RapierState<RAPIER.World>>();
    external.physics.world.step();
    external.counter.count++;
    world.n = external.physics.world.bodies.len();
    // @ts-expect-error no such method
    external.physics.world.jump();
    // @ts-expect-error no such external state
    void external.engine;
  },
});
simulation({
  ...physical.options,
  // @ts-expect-error an external state is a function that creates it
  external: { physics: new Counter(), counter: () => new Counter() },
});
simulation({
  name: "wrong",
  version: 1,
  rate: 60,
  state: layout({ n: u32 }),
  // @ts-expect-error `hash` is missing
  external: { part: () => ({ save: () => new Uint8Array(1), load() {} }) },
  step() {},
});
type Physical = SessionOf<typeof physical>;
const running: Physical = localSession(physical);

export { anySession, running };

// `Simulation` alone is any simulation.
const simulations: readonly Simulation[] = [solo, duel, party, physical];
void simulations;

// A session of one's own, with nothing but the contract.
declare const own: Session<ViewOf<typeof solo>, EffectOf<typeof solo>>;
const ownDrive = drive(own, {
  render: (view) => void (view satisfies ViewOf<typeof solo>),
  effect: (effect) => void (effect satisfies EffectOf<typeof solo>),
});
// A drive may change to any session that shows the same.
declare const replay: Replay;
ownDrive.use(replayPlayer(solo, replay)).session.takeOver(control);
started.use(replayPlayer(solo, replay)).session.seek(3);
started.use(own);
// @ts-expect-error another simulation does not show what the drive draws
started.use(localSession(duel));

// Beats.
const beating = simulation({
  name: "beating",
  version: 1,
  rate: 60,
  state: layout({ x: f64.lerp, crates: table(4, { hp: u32 }) }),
  input,
  effects: { thud: { force: f64 } },
  beats: {
    think: {
      rate: [1, 3],
      run(world, { beat, tick, dt, time, emit, external }) {
        world.x += beat + tick + dt + time;
        for (const crate of world.crates) crate.hp++;
        emit("thud", { force: 1 });
        same<typeof external, {}>();
        // @ts-expect-error no such field
        world.y = 1;
        // @ts-expect-error no such effect
        emit("clang", { force: 1 });
      },
    },
    silent: {
      rate: 4,
      // @ts-expect-error a beat would miss the inputs of the steps in between
      run(world, { inputs }) {
        world.x += Number(inputs);
      },
    },
  },
  step() {},
});
same<WorldOf<typeof beating>["x"], number>();
const anySimulation: Simulation = beating;
// @ts-expect-error beats belong to the simulation
play(beating, { beats: {} });
play(beating).loop.maxSteps = 3;
void anySimulation;
