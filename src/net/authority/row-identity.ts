import { badValue } from "../../errors/index.js";
import type { Arrays } from "../../state/arrays.js";
import type { Fields, Layout, ReadonlyWorld, State } from "../../state/index.js";
import { TableIdentity } from "./table-identity.js";

/**
 * Keeps rows that were predicted where they are in the picture. A client predicts that its player throws a stone, which gets row 5. On
 * the server, another player was faster: row 5 is the other stone, and ours has row 6. Without more ado, the two would swap
 * their sprites. So a corrected picture shows our stone in row 5 from now on, by the id that it had when it was first drawn, until
 * it is removed. The other stone gets a row that is free, and an id that no row had before.
 *
 * Only pictures are arranged, never the state. Ids that are stored in fields, or that steps emit in effects, are those of the
 * state: they are not translated.
 */
export class RowIdentity<S extends Fields = Fields> {
  readonly #tables: readonly TableIdentity[];

  /** Rows that are further apart than `teleport` are not the same. */
  constructor({ tables, leaves }: Layout<S>, teleport: number) {
    this.#tables = tables.map((table) => new TableIdentity(table, leaves, teleport));
  }

  /** Arranges a picture that was just blended. */
  arrange(picture: ReadonlyWorld<S>): void {
    const memory = memoryOf(picture);
    for (let i = 0; i < this.#tables.length; i++) this.#tables[i]!.arrange(memory);
  }

  /**
   * Arranges the picture before a correction. A snapshot of `state` holds the newest state that is certain; -1 if there is none.
   */
  begin(before: ReadonlyWorld<S>, state: State<S>, certain: number): void {
    this.arrange(before);
    const memory = memoryOf(before);
    const numbers = certain < 0 ? undefined : state.arrays.f64;
    const from = certain < 0 ? 0 : state.baseOf("RowIdentity.begin", certain) / 8;
    for (let i = 0; i < this.#tables.length; i++) this.#tables[i]!.begin(memory, numbers, from);
  }

  /** Arranges the picture after a correction. `before` is the one that was passed to `begin`, `certain` may be a newer state. */
  end(before: ReadonlyWorld<S>, after: ReadonlyWorld<S>, state: State<S>, certain: number): void {
    const [old, now] = [memoryOf(before), memoryOf(after)];
    const numbers = certain < 0 ? undefined : state.arrays.f64;
    const from = certain < 0 ? 0 : state.baseOf("RowIdentity.end", certain) / 8;
    for (let i = 0; i < this.#tables.length; i++) this.#tables[i]!.correct(old, now, numbers, from);
    this.arrange(after);
  }

  /** Shows all rows as they are in the state from now on. */
  clear(): void {
    for (let i = 0; i < this.#tables.length; i++) this.#tables[i]!.clear();
  }
}

function memoryOf(picture: unknown): Arrays {
  const { $memory: memory } = (picture ?? {}) as { $memory?: Arrays };
  return memory ?? badValue("RowIdentity: picture", "a view", picture, "session.view(alpha)");
}
