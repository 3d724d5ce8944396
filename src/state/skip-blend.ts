import { badValue, requireWhole } from "../errors/index.js";
import type { StateMemory } from "./arrays.js";
import { countSkip } from "./blend-skips.js";
import type { Node } from "./leaves.js";
import type { Part } from "./objects.js";
import type { CursorObject } from "./row-accessors.js";
import type { RowNumber } from "./row-id.js";

/**
 * Excludes the changes of this step to a part of the world from blending, for example a respawn or a camera cut. The part is a
 * group, a table, a list, a row object, or the whole world. With `row`, it is one row of a table or list. For objects that
 * `smooth` shows, use `teleport` of `tickwise/blend` instead.
 */
export function skipBlend(part: object, row?: RowNumber): void {
  const { $node: node, $memory: memory, $at: at } = (part ?? {}) as Partial<Part & CursorObject>;
  if (node && at) return countSkip(node.owner, at.memory, (part as { row: number }).row);
  if (!node || !memory)
    badValue(
      "skipBlend: part",
      "a world, or a group, table, list or row of one",
      part,
      "skipBlend(world.player), or teleport of tickwise/blend for an object that smooth shows",
    );
  if (row === undefined) return skipAll(node, memory);
  const { owner } = node;
  if (owner.kind === "group")
    badValue("skipBlend: row", "omitted for a group", row, "skipBlend(world.player)");
  requireWhole("skipBlend: row", row, 0, "crates.row(id)");
  if (row >= owner.rows) badValue("skipBlend: row", `below ${owner.rows}`, row, "crates.row(id)");
  countSkip(owner, memory, row);
}

function skipAll(node: Node, memory: StateMemory): void {
  if (node.kind === "leaf") return;
  const { owner } = node;
  for (let row = 0; row < owner.rows; row++) countSkip(owner, memory, row);
  // Groups in a row are skipped with the row.
  if (owner.kind === "group") for (const child of Object.values(node.children)) skipAll(child, memory);
}
