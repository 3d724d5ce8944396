import { badValue, requireWhole } from "../errors/index.js";
import type { Home } from "./arrays.js";
import { cut } from "./cut.js";
import type { Node } from "./leaves.js";
import type { Part } from "./objects.js";
import type { Placed } from "./row-accessors.js";
import type { RowNumber } from "./row-id.js";

/**
 * Excludes what this step does to a part of the world from blending: a respawn, a camera cut. The part is a group, a
 * table, a list, or the world with everything in it; with `row`, one row of a table or list. A row of a table as
 * an object is a part, too. Objects that `smooth` shows have `teleport` of `tickwise/blend` instead.
 */
export function skipBlend(part: object, row?: RowNumber): void {
  const { $node: node, $home: home, $at: at } = (part ?? {}) as Partial<Part & Placed>;
  if (node && at) return cut(node.owner, at.home, (part as { row: number }).row);
  if (!node || !home)
    badValue(
      "skipBlend: part",
      "a part of a world (a group, a table or a list), or the world",
      part,
      "skipBlend(world.player), or teleport of tickwise/blend for an object that smooth shows",
    );
  if (row === undefined) return cutAll(node, home);
  const { owner } = node;
  if (owner.kind === "group")
    badValue("skipBlend: part", "a table or a list, if a row is given", "a group", "skipBlend(world.player)");
  requireWhole("skipBlend: row", row, 0, "crates.row(id)");
  if (row >= owner.rows) badValue("skipBlend: row", `below ${owner.rows}`, row, "crates.row(id)");
  cut(owner, home, row);
}

function cutAll(node: Node, home: Home): void {
  if (node.kind === "leaf") return;
  const { owner } = node;
  for (let row = 0; row < owner.rows; row++) cut(owner, home, row);
  // The groups in a row are cut with it.
  if (owner.kind === "group") for (const child of Object.values(node.children)) cutAll(child, home);
}
