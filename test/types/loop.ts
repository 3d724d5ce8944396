// Checked by tsc alone: each line below a @ts-expect-error must not compile.
import { diagnose, mountHud, traceLoop, type DiagnosisKind, type Hud } from "../../src/hud/index.js";
import {
  catchUp,
  changeRate,
  display,
  every,
  Loop,
  measure,
  onOverload,
  ramp,
  runHidden,
  slowMotion,
  speedOf,
  stepBudget,
  stepsLeft,
  timer,
  timeScale,
  timestampOf,
  type Driver,
  type FrameInfo,
  type LoopEvents,
  type Part,
  type Rate,
  type StepInfo,
} from "../../src/index.js";
import { nodeTimer } from "../../src/loop/drivers/node.js";
import { web } from "../../src/loop/presets.js";
import { onePerFrame, semiFixed, variable } from "../../src/loop/stepping.js";
import { manualDisplay, manualDriver, manualLoop } from "../../src/testing/index.js";

const loop = new Loop({ rate: 60, step() {}, render() {} });

// Valid calls.
new Loop({ rate: [60000, 1001] });
new Loop({ rate: 60, maxFrameTime: 0.1, maxSteps: Infinity, stepping: onePerFrame() });
new Loop({ rate: 60, step: ({ tick, dt, time }) => tick + dt + time });
new Loop({ rate: 60, step: () => Promise.resolve() });
const rates: readonly Rate[] = [60, [60000, 1001], [60, 1] as const];
const readsLess: (event: keyof LoopEvents) => () => void = (event) => loop.on(event, () => {});
loop.on("step", ({ tick }: StepInfo) => tick);
loop.on("render", ({ alpha }: FrameInfo) => alpha);
loop.on("pause", () => {});
loop.on("driver", ({ kind, reason }) => kind + reason);
loop.on("rate", ({ rate: [numerator, denominator], lost }) => numerator / denominator + lost);
loop.maxSteps = 8;
loop.maxFrameTime = 0.1;
loop.start(manualDriver());
loop.start(display({ hidden: runHidden(), frameCap: [30000, 1001] }));
loop.start(nodeTimer({ precision: "high", frameRate: 20 }));
loop.start(timer({ frameRate: undefined }));
loop.start({ start: (its) => its.advance(1 / 60, 0), stop() {}, now: () => 0 });
loop.start();

// Parts and features.
loop.use({ step() {} })();
loop.use({
  name: "mine",
  enterStep: ({ dt }) => dt,
  scale: (time) => void (time.units /= 2),
  unscale: (s) => 2 * s,
});
class Ball implements Part {
  y = 0;
  step({ dt }: StepInfo) {
    this.y += dt;
  }
}
loop.use(new Ball());
every(loop, [30000, 1001], ({ tick }) => tick).dispose();
const beatAlpha: number = every(loop, 4, () => {}).alpha;
timeScale(loop).set(0.5);
timeScale(loop).set(ramp(1, 0.5, "easeIn"));
timeScale(loop).set(slowMotion(0.3, 2, { easeIn: 0.1 }));
timeScale(loop).hitStop(0.1);
const scale: number = timeScale(loop).value + speedOf(loop) + timestampOf(loop, 5) + stepsLeft(loop);
const debt: number = catchUp(loop, 1).debt;
stepBudget(loop, 0.008).seconds = Infinity;
onOverload(loop, ({ lost, clamped, skipped }) => lost + clamped + skipped)();
changeRate(loop, [60000, 1001]);
const found: Promise<number> = display().rate();
display().on("rate", (hertz) => hertz)();
const period: number = manualDisplay({ frameCap: "half" }).info.period;
web({ step() {}, render() {} }).pause();

// @ts-expect-error no such hook
loop.use({ steps() {} });
// @ts-expect-error a frame's figures are not a step's
loop.use({ step: ({ alpha }: FrameInfo) => alpha });
// @ts-expect-error read-only
timeScale(loop).value = 1;
// @ts-expect-error neither a scale nor a ramp
timeScale(loop).set("0.5");
// @ts-expect-error misspelt
ramp(1, 0.5, "ease");
// @ts-expect-error misspelt
slowMotion(0.3, 2, { easein: 0.1 });
// @ts-expect-error a beat needs a callback
every(loop, 4);
// @ts-expect-error not a loop
measure({});
// @ts-expect-error the budget is missing
stepBudget(loop);

// Drivers.
// @ts-expect-error misspelt
display({ frameCap: "third" });
// @ts-expect-error call runHidden
display({ hidden: "run" });
// @ts-expect-error misspelt
nodeTimer({ precision: "hi" });
// @ts-expect-error a timer has no precision
timer({ precision: "high" });
// @ts-expect-error a driver of another shape
loop.start(() => {});
// @ts-expect-error call it
loop.start(display);
// @ts-expect-error a driver needs a clock
loop.start({ start() {}, stop() {} });
// @ts-expect-error a driver is no option
new Loop({ rate: 60, driver: timer() });
// @ts-expect-error no such event
display().on("rates", () => {});

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
// @ts-expect-error a display's rate is found before the loop is made
new Loop({ rate: display().rate() });
// @ts-expect-error a beat needs a rate
every(loop, "4", () => {});

// Options.
// @ts-expect-error misspelt
new Loop({ rate: 60, maxStep: 5 });
// @ts-expect-error a stepping is a value, not a name
new Loop({ rate: 60, stepping: "fixed" });
// @ts-expect-error the function that creates a stepping is not one
new Loop({ rate: 60, stepping: onePerFrame });
// @ts-expect-error a step takes one argument
new Loop({ rate: 60, step(_info: StepInfo, _more: number) {} });
// @ts-expect-error a frame's figures are not a step's
new Loop({ rate: 60, step: ({ alpha }) => alpha });
// Undefined means that the option is left out.
new Loop({ rate: 60, maxSteps: undefined });

// Events.
// @ts-expect-error no such event
loop.on("overload", () => {});
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
measure(loop).steps = 0;
// @ts-expect-error
loop.frame.alpha = 0;
// @ts-expect-error
loop.lostSeconds = 0;
// @ts-expect-error
loop.on("step", (info) => info.tick++);

// Calls.
// @ts-expect-error seconds are missing
loop.advance();
// @ts-expect-error
loop.advance("1");
// @ts-expect-error an object, not a function
loop.use(() => {});

// Stepping and testing.
semiFixed({ split: "even" });
variable({ min: 0, max: 0.1 });
// @ts-expect-error
semiFixed({ split: "odd" });
// @ts-expect-error
variable({ most: 0.1 });
manualLoop({ rate: 60 }).driver.display(144, 1);
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
measure(loop).monitor("enemies", () => 3)();
measure(loop).monitor("level", () => "cave");
// @ts-expect-error not a figure
measure(loop).monitor("level", () => ({ name: "cave" }));
// @ts-expect-error not a function
measure(loop).monitor("enemies", 3);
traceLoop(loop, { track: "Game", keep: undefined })();
// @ts-expect-error misspelt
traceLoop(loop, { keeps: true });
// @ts-expect-error read-only
measure(loop).toJSON().recent.frames = 0;
// @ts-expect-error no such kind
kinds.push("slow");
// @ts-expect-error read-only
diagnose(loop)[0]!.text = "";

export { beatAlpha, debt, found, period, rates, readsLess, scale };
