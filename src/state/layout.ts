import { requireOptions, requireWhole } from "../errors/index.js";
import type { StateMemory } from "./arrays.js";
import { fingerprintOf } from "./fingerprint.js";
import { f64, u32 } from "./fields.js";
import type { GroupNode, Leaf, LeafNode, Owner, TableNode } from "./leaves.js";
import { allocateShared, type Attachment, type SharedMemory, type StateOptions } from "./memory.js";
import { makerOf, type Checks, type Make } from "./objects.js";
import { list, type Fields } from "./parts.js";
import { piecesOf, type Piece } from "./blend-pieces.js";
import { assignOffsets, type Areas } from "./leaf-offsets.js";
import { Reader } from "./reader.js";
import { State } from "./state.js";

const OPTIONS = Object.keys({ kernels: 1 } satisfies Record<keyof StateOptions, 1>);

/** A declared state, and where each field is in memory. `allocate` creates the memory. */
export class Layout<S extends Fields = Fields> {
  /** The fields as they were declared. */
  readonly fields: S;
  /** Bytes of one state. */
  readonly size: number;
  /** A hash of names, types and sizes, as 16 digits. Layouts with the same fingerprint can read each other's bytes. */
  readonly fingerprint: string;
  /** @internal */ readonly areas: Areas;
  /** @internal */ readonly pieces: readonly Piece[];
  /** @internal Whether a field is blended by its velocity. */ readonly isCurved: boolean;
  /** @internal */ readonly owners: readonly Owner[];
  /** @internal */ readonly leaves: readonly Leaf[];
  /** @internal */ readonly tables: readonly TableNode[];
  /** @internal */ readonly root: GroupNode;
  /** @internal */ readonly beside: GroupNode | undefined;
  /** @internal The number of the next step, and the state of the random generator. */
  readonly own: { readonly tick: Leaf; readonly random: Leaf };
  readonly #make: Make;
  readonly #makeBeside: Make | undefined;

  /**
   * @internal Fields of `beside` are saved and hashed too, but are not part of the world. Layouts with different titles have
   * different fingerprints.
   */
  constructor(fields: S, beside?: Fields, title?: string);
  /** Not for users: call `layout`. */
  constructor(never: never);
  /** @internal */
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

  /** Allocates the memory for a world and a number of snapshots. It never grows. */
  allocate(snapshots = 0, options: StateOptions = {}): State<S> {
    requireWhole("Layout.allocate: snapshots", snapshots, 0, 16);
    requireOptions("Layout.allocate", options, OPTIONS, '{ kernels: "js" }');
    return new State(this, snapshots, options);
  }

  /** @internal Allocates memory for a world and its snapshots that some threads use. Each of them attaches itself to it. */
  share(snapshots: number, threads: number, kernels?: StateOptions["kernels"]): SharedMemory {
    return allocateShared(this.size, snapshots + 1, threads, kernels);
  }

  /** @internal Returns the states in shared memory, for one thread. The first thread to attach itself calls `random.seed`. */
  attach(snapshots: number, attachment: Attachment): State<S> {
    return new State(this, snapshots, {}, attachment);
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

/** Declares a state of numbers, vectors, groups, tables and lists, in one buffer of fixed size. */
export function layout<const S extends Fields>(fields: S): Layout<S> {
  return new Layout(fields);
}
