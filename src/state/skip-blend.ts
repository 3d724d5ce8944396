import { badValue, requireWhole } from "../errors/index.js";
import type { StateMemory } from "./arrays.js";
import { countSkip } from "./blend-skips.js";
import type { Node } from "./leaves.js";
import type { Part } from "./objects.js";
import type { CursorObject } from "./row-accessors.js";
import type { RowNumber } from "./row-id.js";

/**
 * Excludes what this step does to a part of the world from blending: a respawn, a camera cut. The part is a group, a
 * table, a list, or the world with everything in it; with `row`, one row of a table or list. A row of a table as
 * an object is a part, too. Objects that `smooth` shows have `teleport` of `tickwise/blend` instead.
 */
export function skipBlend(part: object, row?: RowNumber): void {
  const { $node: node, $memory: memory, $at: at } = (part ?? {}) as Partial<Part & CursorObject>;
  if (node && at) return countSkip(node.owner, at.memory, (part as { row: number }).row);
  if (!node || !memory)
    badValue(
      "skipBlend: part",
      "a part of a world (a group, a table or a list), or the world",
      part,
      "skipBlend(world.player), or teleport of tickwise/blend for an object that smooth shows",
    );
  if (row === undefined) return skipAll(node, memory);
  const { owner } = node;
  if (owner.kind === "group")
    badValue("skipBlend: part", "a table or a list, if a row is given", "a group", "skipBlend(world.player)");
  requireWhole("skipBlend: row", row, 0, "crates.row(id)");
  if (row >= owner.rows) badValue("skipBlend: row", `below ${owner.rows}`, row, "crates.row(id)");
  countSkip(owner, memory, row);
}

function skipAll(node: Node, memory: StateMemory): void {
  if (node.kind === "leaf") return;
  const { owner } = node;
  for (let row = 0; row < owner.rows; row++) countSkip(owner, memory, row);
  // The groups in a row are cut with it.
  if (owner.kind === "group") for (const child of Object.values(node.children)) skipAll(child, memory);
}
