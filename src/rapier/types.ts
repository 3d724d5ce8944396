// What is used of Rapier, by structure: 2D and 3D, inlined and plain builds all fit, and nothing is imported.

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
}

interface Quaternion extends Vector {
  readonly w: number;
}

/** A body, as far as it is hashed. Angles and spins are numbers in 2D. */
export interface RapierBody {
  readonly handle: number;
  translation(): Vector;
  rotation(): number | Quaternion;
  linvel(): Vector;
  angvel(): number | Vector;
  isSleeping(): boolean;
}

/** What a snapshot is read into, before it becomes a world. */
interface RawWorld {
  free(): void;
}

/** The part of a Rapier world that Tickwise uses, in 2D or 3D. */
export interface RapierWorld {
  gravity: Vector;
  /** Undefined once the world was freed. */
  readonly bodies: object;
  readonly colliders: object;
  readonly serializationPipeline: {
    readonly raw: { deserializeAll(bytes: Uint8Array): RawWorld | undefined };
  };
  takeSnapshot(): Uint8Array;
  free(): void;
  forEachRigidBody(visit: (body: RapierBody) => void): void;
}

/** The namespace: `import RAPIER from "@dimforge/rapier2d-deterministic-compat"`. */
export interface Rapier<W extends RapierWorld> {
  version(): string;
  readonly World: {
    // Its raw world is a class of its own, in each build another.
    fromRaw(raw: never): W;
  };
}
