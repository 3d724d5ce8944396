// Rapier holds its sets borrowed while it calls back, and swallows what a callback throws: a write there is lost, and the
// world can no longer be freed. So each callback is watched, and its error thrown once the call returns.

type Method = (...given: unknown[]) => unknown;
type Methods = Record<string, Method | undefined>;

/** Methods of a world that call back out of Rust. */
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

/** How wasm-bindgen says that a set is in use. */
const BORROWED = /recursive use of an object|while it was borrowed|already (mutably )?borrowed/;

/** Makes the calls of this world that take callbacks throw what a callback threw. */
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
    // Without a queue of events, Rapier ignores hooks.
    if (!events || !hooks) return step.call(world, events, hooks);
    const watch = new Watch("world.step");
    const watched: Methods = {};
    for (const name of HOOKS) {
      const hook = (hooks as Methods)[name];
      // Null: no contact, no intersection.
      if (hook) watched[name] = watch.over((...pair) => hook.apply(hooks, pair), null);
    }
    step.call(world, events, watched);
    return watch.end();
  };
}

/** Keeps the first error of the callbacks of one call. */
class Watch {
  readonly #called: string;
  #error: unknown;
  #hasFailed = false;

  constructor(called: string) {
    this.#called = called;
  }

  /** The same callback; once one has failed, none is called any more, and `refusal` is its result. */
  over(callback: Method, refusal: false | null): Method {
    return (...values) => {
      if (this.#hasFailed) return refusal;
      try {
        return callback(...values);
      } catch (error) {
        this.#hasFailed = true;
        this.#error = error;
        return refusal;
      }
    };
  }

  end(): void {
    if (!this.#hasFailed) return;
    const error = this.#error;
    if (!(error instanceof Error && BORROWED.test(error.message))) throw error;
    throw new Error(
      this.#called === "world.step"
        ? "rapier: physics hooks cannot read or change the world, as Rapier is stepping it. Decide by the handles and the state alone."
        : `rapier: the callback of ${this.#called} cannot change the world, as Rapier is reading it. Collect the colliders, and change things once ${this.#called} has returned.`,
      { cause: error },
    );
  }
}
