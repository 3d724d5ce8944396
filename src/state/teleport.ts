import { refuse, requireWhole } from "../time/refuse.js";
import type { Home } from "./arrays.js";
import { cut } from "./cut.js";
import type { Node } from "./leaves.js";
import type { Part } from "./objects.js";

/**
 * What this step does to a part of the world is not to be blended: a respawn, a camera's cut. The part is a group, a
 * table or a list, or the world with all that is in it; or one row of a table or a list. A row is cut as a whole.
 */
export function teleport(part: object, row?: number): void {
  const { $node: node, $home: home } = (part ?? {}) as Partial<Part>;
  if (!node || !home) refuse("teleport: part", "a part of a world", part, "teleport(world.player)");
  if (row === undefined) return cutAll(node, home);
  const { owner } = node;
  if (owner.kind === "group")
    refuse("teleport: part", "a table or a list, if a row is given", "a group", "teleport(world.player)");
  requireWhole("teleport: row", row, 0, "crates.row(id)");
  if (row >= owner.rows) refuse("teleport: row", `below ${owner.rows}`, row, "crates.row(id)");
  cut(owner, home, row);
}

function cutAll(node: Node, home: Home): void {
  if (node.kind === "leaf") return;
  const { owner } = node;
  for (let row = 0; row < owner.rows; row++) cut(owner, home, row);
  // The groups in a row are cut with it.
  if (owner.kind === "group") for (const child of Object.values(node.children)) cutAll(child, home);
}
