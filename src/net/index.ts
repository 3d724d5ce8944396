/**
 * Netcode: links between peers, and sessions that play one simulation over them.
 *
 * @packageDocumentation
 */

export type { Link, LinkEvents } from "./link.js";
