import { refuse, requireWhole } from "../time/refuse.js";
import { HOME, type Home } from "./arrays.js";
import type { Node } from "./leaves.js";
import { NODE } from "./objects.js";
import { cut } from "./rows.js";

/**
 * What this step does to a part of the world is not to be blended: a respawn, a camera's cut. The part is a group, a
 * table or a list, or the world with all that is in it; or one row of a table or a list.
 */
export function teleport(part: object, row?: number): void {
  const { [NODE]: node, [HOME]: home } = (part ?? {}) as { [NODE]?: Node; [HOME]?: Home };
  if (!node || !home) refuse("teleport: part", "a part of a world", part, "teleport(world.player)");
  if (row === undefined) return cutAll(node, home);
  if (node.kind !== "table" && node.kind !== "list")
    refuse("teleport: part", "a table or a list, if a row is given", "a group", "teleport(world.player)");
  requireWhole("teleport: row", row, 0, "crates.row(id)");
  if (row >= node.owner.rows) refuse("teleport: row", `below ${node.owner.rows}`, row, "crates.row(id)");
  cut(node, home, row);
}

function cutAll(node: Node, home: Home): void {
  if (node.kind === "leaf") return;
  for (let row = 0; row < node.owner.rows; row++) cut(node, home, row);
  // The groups in a row are cut with it.
  if (node.kind === "group") for (const child of Object.values(node.children)) cutAll(child, home);
}
