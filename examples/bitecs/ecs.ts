// bitECS over the columns of a layout: what is worth a copy into your own game.
import { addComponent, addEntity, createWorld, query, removeComponent } from "bitecs";
import type { ExternalState } from "tickwise/sim";

/**
 * A bitECS world whose entities are the rows of a table, and whose components are its groups of columns: so their values
 * are saved with the state. What bitECS has for itself is who has which component. That follows from a column of the
 * table, with a bit for each: so there is nothing to save here, and after a load bitECS is brought in line.
 */
export class Ecs implements ExternalState {
  readonly world = createWorld();
  #parts: Uint32Array = new Uint32Array(0);
  /** The same, as bitECS has it. */
  #known = new Uint32Array(0);
  #components: readonly object[] = [];

  /** Call it once, in `init`. All entities are made here and stay: entity n is row n, and none is row 0. */
  bind(parts: Uint32Array, components: readonly object[]): void {
    this.#parts = parts;
    this.#known = new Uint32Array(parts.length);
    this.#components = components;
    for (let row = 1; row < parts.length; row++) addEntity(this.world);
    this.load();
  }

  /** Tells bitECS what `parts` says of a row. Call it after a row was added or removed, or has other components. */
  match(row: number): void {
    const changed = this.#parts[row]! ^ this.#known[row]!;
    if (changed === 0) return;
    this.#known[row] = this.#parts[row]!;
    for (const [bit, component] of this.#components.entries()) {
      if (!(changed & (1 << bit))) continue;
      if (this.#parts[row]! & (1 << bit)) addComponent(this.world, row, component);
      else removeComponent(this.world, row, component);
    }
  }

  /** The bits for `parts`. */
  bits(...components: object[]): number {
    return components.reduce(
      (bits: number, component) => bits | (1 << this.#components.indexOf(component)),
      0,
    );
  }

  /** Rows that have all of these. Sorted: bitECS's own order tells of all that came and went, which no load brings back. */
  rows(...components: object[]): Uint32Array {
    return Uint32Array.from(query(this.world, components)).sort();
  }

  save(): Uint8Array {
    return new Uint8Array(0);
  }

  /** The state has been loaded before. */
  load(): void {
    for (let row = 1; row < this.#parts.length; row++) this.match(row);
  }

  /** All that counts is in the state, and in its hash. */
  hash(): readonly [number, number] {
    return [0, 0];
  }
}
