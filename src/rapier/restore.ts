// Corrects state that Rapier's JavaScript keeps besides the Rust world, and that would differ after a load.
import type { RapierWorld } from "./types.js";

interface Collider {
  finalizeDeserialization?(bodies: { get(handle: number | undefined): object | null }): void;
  clearShapeCache?(): void;
  setShape?(shape: unknown): void;
}

interface Colliders {
  createCollider?(...given: unknown[]): Collider;
  forEach?(visit: (collider: Collider) => void): void;
}

/** Rounds gravity. Rapier keeps doubles but saves floats, so a step would read another number after a load. */
export function roundGravity({ gravity }: RapierWorld): void {
  const axes = gravity as unknown as Record<string, number>;
  for (const axis of Object.keys(axes)) axes[axis] = Math.fround(axes[axis]!);
}

/** Restores the parents of colliders. Rapier itself would assign body 0 to a collider without a body. */
export function restoreParents(world: RapierWorld): void {
  const bodies = world.bodies as { get(handle: number): object | null };
  const parents = { get: (handle: number | undefined) => (handle === undefined ? null : bodies.get(handle)) };
  (world.colliders as Colliders | undefined)?.forEach?.((collider) =>
    collider.finalizeDeserialization?.(parents),
  );
}

/**
 * Makes `collider.shape` the same before and after a load. Rapier caches the shape that a collider was created with, in doubles,
 * and reads its own floats only after a load. With an empty cache, it always reads the floats.
 */
export function readShapes(world: RapierWorld): void {
  const colliders = world.colliders as Colliders | undefined;
  // The world was freed. Using it throws.
  if (!colliders) return;
  colliders.forEach?.(readShape);
  const { createCollider } = colliders;
  if (createCollider)
    colliders.createCollider = (...given) => readShape(createCollider.apply(colliders, given));
}

function readShape(collider: Collider): Collider {
  collider.clearShapeCache?.();
  if (collider.setShape) collider.setShape = setShape;
  return collider;
}

function setShape(this: Collider, shape: unknown): void {
  (Object.getPrototypeOf(this) as Collider).setShape!.call(this, shape);
  this.clearShapeCache?.();
}
