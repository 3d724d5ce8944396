import type { StateMemory } from "./arrays.js";
import { fingerprintOf } from "./fingerprint.js";
import { f64, u32 } from "./fields.js";
import type { GroupNode, Leaf, LeafNode, Owner, TableNode } from "./leaves.js";
import type { StateOptions } from "./memory.js";
import { makerOf, type Checks, type Make } from "./objects.js";
import { list, type Fields } from "./parts.js";
import { piecesOf, type Piece } from "./blend-pieces.js";
import { assignOffsets, type Areas } from "./leaf-offsets.js";
import { Reader } from "./reader.js";
import { State } from "./state.js";

/** A declared state: where everything lies in memory. `allocate` makes the memory. */
export class Layout<S extends Fields = Fields> {
  readonly fields: S;
  /** Bytes of one state. */
  readonly size: number;
  /** Of names, types and sizes: two layouts with the same one can read each other's snapshots. 16 digits. */
  readonly fingerprint: string;
  /** @internal */ readonly areas: Areas;
  /** @internal */ readonly pieces: readonly Piece[];
  /** @internal Whether something is blended by its velocity. */ readonly isCurved: boolean;
  /** @internal */ readonly owners: readonly Owner[];
  /** @internal */ readonly leaves: readonly Leaf[];
  /** @internal */ readonly tables: readonly TableNode[];
  /** @internal */ readonly root: GroupNode;
  /** @internal */ readonly beside: GroupNode | undefined;
  /** @internal The number of the next step, and the generator's words: every state has them. */
  readonly own: { readonly tick: Leaf; readonly random: Leaf };
  readonly #make: Make;
  readonly #makeBeside: Make | undefined;

  /** @internal What lies `beside` is saved and hashed too, but is no part of the world; a title makes it another one. */
  constructor(fields: S, beside?: Fields, title = "") {
    const reader = new Reader();
    this.fields = fields;
    this.root = reader.root(fields);
    const { children } = this.root;
    const { children: own } = reader.root(
      { tick: f64, random: list(4, u32) },
      children["tick"] || children["random"] ? "$" : "",
    );
    this.beside = beside && reader.root(beside);
    this.leaves = reader.leaves;
    this.tables = reader.tables;
    this.areas = assignOffsets(reader.leaves);
    this.owners = reader.owners.filter(({ blended }) => blended.length > 0);
    this.pieces = piecesOf(reader.leaves, this.areas);
    this.isCurved = this.pieces.some(({ by }) => by === "hermite64" || by === "hermite32");
    this.size = this.areas.size;
    const ownLeaf = (name: string) => (own[name] as LeafNode).leaf;
    this.own = { tick: ownLeaf("tick"), random: ownLeaf("random") };
    this.fingerprint = fingerprintOf(title, reader.leaves);
    this.#make = makerOf(this.root);
    this.#makeBeside = this.beside && makerOf(this.beside);
  }

  /** Memory for a world and so many snapshots of it. It never grows. */
  allocate(snapshots = 0, options: StateOptions = {}): State<S> {
    return new State(this, snapshots, options);
  }

  /** @internal */
  worldIn(memory: StateMemory, checks?: Checks): object {
    return this.#make(memory, checks);
  }

  /** @internal */
  besideIn(memory: StateMemory): object | undefined {
    return this.#makeBeside?.(memory);
  }
}

/** Declares a state: numbers, vectors, groups, tables and lists, in one buffer whose size is fixed. */
export function layout<const S extends Fields>(fields: S): Layout<S> {
  return new Layout(fields);
}
