// The parts of Rapier that Tickwise uses, as structural types: all builds fit, 2D and 3D, and nothing is imported.

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
}

interface Quaternion extends Vector {
  readonly w: number;
}

/** The parts of a body that are hashed. Rotations and angular velocities are numbers in 2D. */
export interface RapierBody {
  readonly handle: number;
  translation(): Vector;
  rotation(): number | Quaternion;
  linvel(): Vector;
  angvel(): number | Vector;
  isSleeping(): boolean;
}

/** A deserialized snapshot, before it becomes a world. */
interface RawWorld {
  free(): void;
}

/** The part of a Rapier world that Tickwise uses, in 2D or 3D. */
export interface RapierWorld {
  gravity: Vector;
  /** Undefined after the world was freed. */
  readonly bodies: object;
  readonly colliders: object;
  readonly serializationPipeline: {
    readonly raw: { deserializeAll(bytes: Uint8Array): RawWorld | undefined };
  };
  takeSnapshot(): Uint8Array;
  free(): void;
  forEachRigidBody(visit: (body: RapierBody) => void): void;
}

/** The namespace of Rapier: `import RAPIER from "@dimforge/rapier2d-deterministic-compat"`. */
export interface Rapier<W extends RapierWorld> {
  version(): string;
  readonly World: {
    // Each build has its own class of raw worlds.
    fromRaw(raw: never): W;
  };
}
