// During a callback, Rapier's sets are borrowed, and Rapier swallows errors of the callback: a write there is lost, and the world
// can no longer be freed. So each callback is wrapped, and its error is thrown when the call returns.
import { misuse } from "../errors/index.js";

type Method = (...given: unknown[]) => unknown;
type Methods = Record<string, Method | undefined>;

/** Methods of a world that take callbacks, which Rust calls. */
const QUERIES = [
  "castRay",
  "castRayAndGetNormal",
  "castShape",
  "collidersWithAabbIntersectingAabb",
  "contactPairsWith",
  "debugRender",
  "forEachActiveRigidBody",
  "intersectionPairsWith",
  "intersectionWithShape",
  "intersectionsWithPoint",
  "intersectionsWithRay",
  "intersectionsWithShape",
  "projectPoint",
  "projectPointAndGetFeature",
] as const;

const HOOKS = ["filterContactPair", "filterIntersectionPair"] as const;

/** The errors of wasm-bindgen for a set that is borrowed. */
const BORROWED = /recursive use of an object|while it was borrowed|already (mutably )?borrowed/;

/** Makes the methods of a world that take callbacks throw the errors of these callbacks. */
export function watchCallbacks(world: object): void {
  for (const name of QUERIES) watchArguments(world, name, `world.${name}`);
  watchHooks(world as Methods);
  const { createCharacterController } = world as Methods;
  if (createCharacterController)
    (world as Methods)["createCharacterController"] = (...given) => {
      const controller = createCharacterController.apply(world, given) as object;
      watchArguments(controller, "computeColliderMovement", "controller.computeColliderMovement");
      return controller;
    };
}

function watchArguments(object: object, name: string, called: string): void {
  const methods = object as Methods;
  const method = methods[name];
  if (typeof method !== "function") return;
  methods[name] = (...given) => {
    if (!given.some((argument) => typeof argument === "function")) return method.apply(object, given);
    const watch = new Watch(called);
    const result = method.apply(
      object,
      given.map((argument) =>
        typeof argument === "function" ? watch.over(argument as Method, false) : argument,
      ),
    );
    watch.end();
    return result;
  };
}

function watchHooks(world: Methods): void {
  const { step } = world;
  if (typeof step !== "function") return;
  world["step"] = (events, hooks) => {
    // Without an event queue, Rapier ignores hooks.
    if (!events || !hooks) return step.call(world, events, hooks);
    const watch = new Watch("world.step");
    const watched: Methods = {};
    for (const name of HOOKS) {
      const hook = (hooks as Methods)[name];
      // null means no contact, and no intersection.
      if (hook) watched[name] = watch.over((...pair) => hook.apply(hooks, pair), null);
    }
    step.call(world, events, watched);
    return watch.end();
  };
}

/** Keeps the first error of the callbacks of one call, to throw it when the call returns. */
class Watch {
  readonly #called: string;
  #error: unknown;
  #hasFailed = false;

  constructor(called: string) {
    this.#called = called;
  }

  /** Wraps a callback. Once one has thrown, none is called any more: each returns `fallback`. */
  over(callback: Method, fallback: false | null): Method {
    return (...values) => {
      if (this.#hasFailed) return fallback;
      try {
        return callback(...values);
      } catch (error) {
        this.#hasFailed = true;
        this.#error = error;
        return fallback;
      }
    };
  }

  end(): void {
    if (!this.#hasFailed) return;
    const error = this.#error;
    if (!(error instanceof Error && BORROWED.test(error.message))) throw error;
    const called = this.#called;
    if (called === "world.step")
      misuse(
        "reentrant",
        "rapier",
        "physics hooks cannot read or change the world while Rapier is stepping it",
        "Decide by the handles and the state alone",
        error,
      );
    misuse(
      "reentrant",
      "rapier",
      `the callback of ${called} cannot change the world while Rapier is reading it`,
      `Collect the colliders, and make changes after ${called} has returned`,
      error,
    );
  }
}
