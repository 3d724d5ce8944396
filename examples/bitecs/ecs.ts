// Connects bitECS to the columns of a layout. Copy this file into your game.
import { addComponent, addEntity, createWorld, query, removeComponent } from "bitecs";
import type { ExternalState } from "tickwise/sim";

/**
 * A bitECS world whose entities are the rows of a table and whose components are its groups of columns, so their values
 * are saved with the state. bitECS itself stores only which entity has which component. The `parts` column holds the
 * same as bits, so nothing has to be saved here: after a load, bitECS is updated from `parts`.
 */
export class Ecs implements ExternalState {
  readonly world = createWorld();
  #parts: Uint32Array = new Uint32Array(0);
  /** The bits that bitECS currently has. */
  #known = new Uint32Array(0);
  #components: readonly object[] = [];

  /** Call once, in `init`. Creates all entities for good: entity n is row n; row 0 has none. */
  bind(parts: Uint32Array, components: readonly object[]): void {
    this.#parts = parts;
    this.#known = new Uint32Array(parts.length);
    this.#components = components;
    for (let row = 1; row < parts.length; row++) addEntity(this.world);
    this.load();
  }

  /** Updates a row in bitECS. Call it after adding or removing the row, or changing its `parts`. */
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

  /** Returns the value of `parts` for these components. */
  bits(...components: object[]): number {
    return components.reduce(
      (bits: number, component) => bits | (1 << this.#components.indexOf(component)),
      0,
    );
  }

  /** Returns the rows with all of these components. Sorted, because bitECS's order depends on past changes. */
  rows(...components: object[]): Uint32Array {
    return Uint32Array.from(query(this.world, components)).sort();
  }

  save(): Uint8Array {
    return new Uint8Array(0);
  }

  /** Runs after the state has been loaded. */
  load(): void {
    for (let row = 1; row < this.#parts.length; row++) this.match(row);
  }

  /** Constant, because everything that matters is in the state and its hash. */
  hash(): readonly [number, number] {
    return [0, 0];
  }
}
