// Checked by tsc alone: each line below a @ts-expect-error must not compile.
import { nodeDriver } from "../../src/drivers/node.js";
import { diagnose, mountHud, traceLoop, type DiagnosisKind, type Hud } from "../../src/hud/index.js";
import {
  browserDriver,
  Loop,
  ramp,
  timerDriver,
  type Driver,
  type FrameInfo,
  type LoopEvents,
  type Rate,
  type StepInfo,
} from "../../src/index.js";
import { onePerFrame, semiFixed, variable } from "../../src/loop/stepping.js";
import { manualDriver, manualLoop } from "../../src/testing/index.js";

const loop = new Loop({ rate: 60, step() {}, render() {} });

// Valid calls.
new Loop({ rate: [60000, 1001] });
new Loop({ rate: 60, overload: "drop", maxSteps: Infinity, measureCosts: false });
new Loop({ rate: 60, overload: { catchUp: 0.5 }, stepping: onePerFrame(), now: () => 0 });
new Loop({ rate: 60, step: ({ tick, dt, time }) => tick + dt + time });
new Loop({ rate: 60, step: () => Promise.resolve(), driver: manualDriver() });
const rates: readonly Rate[] = [60, [60000, 1001], [60, 1] as const];
const readsLess: (event: keyof LoopEvents) => () => void = (event) => loop.on(event, () => {});
loop.on("step", ({ tick }: StepInfo) => tick);
loop.on("render", ({ alpha }: FrameInfo) => alpha);
loop.on("overload", ({ lost, debt }) => lost + debt);
loop.on("pause", () => {});
loop.every([30000, 1001], ({ tick }) => tick).dispose();
loop.add({ step() {} });
loop.configure({ maxSteps: 8 });
loop.configure({ driver: manualDriver() });
loop.on("driver", ({ kind, reason }) => kind + reason);
new Loop({ rate: 60, driver: browserDriver({ hidden: "run" }) });
new Loop({ rate: 60, driver: nodeDriver({ precision: "high", frameRate: 20 }) });
loop.timeScale = 0.5;
loop.timeScale = ramp(1, 0.5);
const scale: number = loop.timeScale;

new Loop({ rate: "display", pacing: "display", present: "latest", frameCap: "half" });
new Loop({ rate: { display: 2 }, pacing: "display" });
loop.configure({ frameCap: [30000, 1001], pacing: "raw" });
loop.on("rate", ([numerator, denominator]) => numerator / denominator);
const period: number | undefined = loop.display?.period;

// Presentation.
// @ts-expect-error misspelt
new Loop({ rate: 60, pacing: "vsync" });
// @ts-expect-error misspelt
new Loop({ rate: 60, present: "newest" });
// @ts-expect-error misspelt
new Loop({ rate: 60, frameCap: "third" });
// @ts-expect-error only in the constructor
loop.configure({ rate: "display" });
// @ts-expect-error not a number
new Loop({ rate: { display: "2" } });
// @ts-expect-error read-only
loop.lead = 0;

// Drivers.
// @ts-expect-error misspelt
browserDriver({ hidden: "stop" });
// @ts-expect-error misspelt
nodeDriver({ precision: "hi" });
// @ts-expect-error a timer has no precision
timerDriver({ precision: "high" });
// @ts-expect-error a driver of another shape
loop.configure({ driver: () => {} });

// The rate.
// @ts-expect-error rate is missing
new Loop({});
// @ts-expect-error no options
new Loop();
// @ts-expect-error a string
new Loop({ rate: "60" });
// @ts-expect-error three numbers
new Loop({ rate: [60, 1, 1] });
// @ts-expect-error one number
new Loop({ rate: [60] });
// @ts-expect-error a BigInt
new Loop({ rate: 60n });
// @ts-expect-error a beat needs a rate
loop.every("4", () => {});

// Options.
// @ts-expect-error misspelt
new Loop({ rate: 60, maxStep: 5 });
// @ts-expect-error misspelt
new Loop({ rate: 60, overload: "dorp" });
// @ts-expect-error misspelt
new Loop({ rate: 60, overload: { catchup: 1 } });
// @ts-expect-error a stepping is a value, not a name
new Loop({ rate: 60, stepping: "fixed" });
// @ts-expect-error the function that creates a stepping is not one
new Loop({ rate: 60, stepping: onePerFrame });
// @ts-expect-error a driver needs a clock
new Loop({ rate: 60, driver: { start() {}, stop() {} } });
// @ts-expect-error a step takes one argument
new Loop({ rate: 60, step(_info: StepInfo, _more: number) {} });
// @ts-expect-error a frame's figures are not a step's
new Loop({ rate: 60, step: ({ alpha }) => alpha });
// Undefined means that the option is left out.
new Loop({ rate: 60, maxSteps: undefined });
// @ts-expect-error neither a step nor a render
loop.add({});

// Events.
// @ts-expect-error no such event
loop.on("frame", () => {});
// @ts-expect-error a frame's figures are not a step's
loop.on("step", ({ alpha }) => alpha);
// @ts-expect-error a step listener receives an object
loop.on("step", (tick: number) => tick);
// @ts-expect-error the listener receives nothing
loop.on("pause", ({ tick }) => tick);

// Read-only.
// @ts-expect-error
loop.tick = 0;
// @ts-expect-error
loop.alpha = 0;
// @ts-expect-error
loop.rate[0] = 30;
// @ts-expect-error
loop.stats.steps = 0;
// @ts-expect-error
loop.on("step", (info) => info.tick++);

// Calls.
// @ts-expect-error seconds are missing
loop.advance();
// @ts-expect-error
loop.advance("1");
// @ts-expect-error an object, not a function
loop.add(() => {});

// Stepping and testing.
semiFixed({ split: "even" });
variable({ min: 0, max: 0.1 });
// @ts-expect-error
semiFixed({ split: "odd" });
// @ts-expect-error
variable({ most: 0.1 });
manualLoop({ rate: 60 }).driver.display(144, 1);
// @ts-expect-error it has its own driver
manualLoop({ rate: 60, driver: manualDriver() });
const driver: Driver = manualDriver();
// @ts-expect-error not every driver is a manual one
driver.wait(1);

// The overlay.
const kinds: DiagnosisKind[] = diagnose(loop).map(({ kind }) => kind);
const hud: Hud = mountHud(loop, { corner: "top-left", key: null, parent: document.body });
hud.collapsed = true;
mountHud({ loop, session: undefined });
diagnose({ loop, session: {} });
// @ts-expect-error the session is missing
diagnose({ loop });
mountHud(loop, { key: undefined, parent: undefined });
// @ts-expect-error the loop is missing
mountHud();
// @ts-expect-error misspelt
mountHud(loop, { corner: "left-top" });
// @ts-expect-error misspelt
mountHud(loop, { colapsed: true });
// @ts-expect-error a selector is not an element
mountHud(loop, { parent: "#game" });
loop.monitor("enemies", () => 3)();
loop.monitor("level", () => "cave");
// @ts-expect-error not a figure
loop.monitor("level", () => ({ name: "cave" }));
// @ts-expect-error not a function
loop.monitor("enemies", 3);
traceLoop(loop, { track: "Game", keep: undefined })();
// @ts-expect-error misspelt
traceLoop(loop, { keeps: true });
// @ts-expect-error read-only
loop.stats.toJSON().recent.frames = 0;
// @ts-expect-error no such kind
kinds.push("slow");
// @ts-expect-error read-only
diagnose(loop)[0]!.text = "";
// @ts-expect-error read-only
loop.notice = undefined;

export { period, rates, readsLess, scale };
