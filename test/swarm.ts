/** What the swarm's memory comes to after 10,000 steps: changed only on purpose, with a major version. */
export const SWARM_HASHES = { one: "e86832db", two: "745e36d9" };
