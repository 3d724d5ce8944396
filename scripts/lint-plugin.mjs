// Lint rules of this repository that oxlint cannot express. ARCHITECTURE.md gives the reasons.
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** The imports that each folder of src may have: folders, through their index.js, or single files. */
const DIRECTION = {
  errors: [],
  math: ["errors"],
  input: ["errors"],
  blend: ["errors"],
  integrate: ["errors"],
  platform: ["errors"],
  loop: ["errors", "platform"],
  state: ["errors", "blend", "math"],
  // Files of input instead of its index.js, as devices and latches are not part of a simulation.
  sim: [
    "errors",
    "state",
    "state/describe-layout.js",
    "state/migrate-state.js",
    "state/rebuild-layout.js",
    "input",
    "input/fields.js",
    "input/packing.js",
    "math",
    "loop",
  ],
  // It imports only types of Rapier and of simulations.
  rapier: ["errors"],
  replay: [
    "errors",
    "sim",
    "sim/bytes.js",
    "sim/commands.js",
    "sim/effect-queue.js",
    "sim/effects.js",
    "sim/drive.js",
    "sim/simulation.js",
    "sim/tape.js",
    "sim/utf8.js",
    "state",
    "state/describe-layout.js",
    "input",
    "input/fields.js",
    "input/packing.js",
    "math",
    "loop",
  ],
  // Parts of sim that sessions are built from, which users do not need.
  net: [
    "errors",
    "platform",
    "math",
    "input",
    "input/packing.js",
    "loop",
    "state",
    "state/arrays.js",
    "state/base64.js",
    "state/describe-layout.js",
    "state/diff.js",
    "state/fields.js",
    "state/leaf-offsets.js",
    "state/leaves.js",
    "sim",
    "sim/bytes.js",
    "sim/commands.js",
    "sim/effect-queue.js",
    "sim/effects.js",
    "sim/input-log.js",
    "sim/confirmed-event.js",
    "sim/input-memory.js",
    "sim/input-sampler.js",
    "sim/inputs.js",
    "sim/presenter.js",
    "sim/require-rate.js",
    "sim/run.js",
    "sim/session.js",
    "sim/session-listeners.js",
    "sim/simulation.js",
    "sim/snapshot-ring.js",
    "replay",
    "replay/chunk.js",
    "replay/varint.js",
  ],
  // Rooms are built from sessions and their saves.
  server: [
    "errors",
    "platform",
    "loop",
    "math",
    "state",
    "sim",
    "sim/simulation.js",
    "replay",
    "net",
    "net/authority/handover.js",
    "net/link-end.js",
    "net/room-lobby.js",
  ],
  queue: ["errors", "platform", "state", "sim", "replay"],
  colyseus: [
    "errors",
    "platform",
    "sim",
    "replay",
    "net",
    "server",
    "server/end-socket.js",
    "server/folders.js",
    "server/rate-limit.js",
    "server/rooms/game-room.js",
    "server/rooms/room-schedule.js",
    "server/rooms/lateness.js",
    "net/colyseus-link.js",
    "net/keep-joined.js",
    "net/link-end.js",
  ],
  // A session in another thread is built from the parts of all sessions.
  worker: [
    "errors",
    "platform",
    "input",
    "loop",
    "state",
    "state/memory.js",
    "sim",
    "sim/bytes.js",
    "sim/commands.js",
    "sim/effect-queue.js",
    "sim/effects.js",
    "sim/input-sampler.js",
    "sim/presenter.js",
    "sim/require-rate.js",
    "sim/session.js",
    "sim/session-listeners.js",
    "sim/simulation.js",
  ],
  hud: ["errors", "platform", "loop", "net/net-problems.js"],
  audio: ["errors", "platform", "loop"],
  lint: [],
  testing: ["*", "net/simulated.js", "sim/bytes.js", "sim/random-commands.js", "sim/run.js"],
  cli: [
    "*",
    "queue/job-process.js",
    "queue/sim-folder.js",
    "replay/cut.js",
    "server/folders.js",
    "server/static-files.js",
    "server/workers/messages.js",
    "server/workers/rejections.js",
    "server/workers/room-worker.js",
    "server/workers/worker-server.js",
    "sim/random-commands.js",
    "sim/run.js",
    "state/describe-layout.js",
    "state/leaves.js",
  ],
};
/** Folders for Node, which also import the optional peer dependencies that they are made for. */
const FOR_NODE = {
  cli: ["bullmq", "ioredis"],
  server: ["ws", "jose"],
  queue: ["bullmq", "ioredis"],
  colyseus: ["@colyseus/core"],
};
/** Folders that may import types from any folder. */
const TYPES_OF_ALL = new Set(["math", "input", "blend", "integrate", "hud", "rapier", "audio"]);

/** Returns why an import is not allowed, or an empty string. */
function objection(
  /** @type {string} */ file,
  /** @type {string} */ source,
  /** @type {boolean} */ typeOnly,
) {
  const [folder = "", ...inside] = relative(SRC, file).split(sep);
  const packages = /** @type {Record<string, string[]>} */ (FOR_NODE)[folder];
  if (source.startsWith("node:"))
    return packages ? "" : `Only ${Object.keys(FOR_NODE).join(", ")} import ${source}.`;
  if (packages?.includes(source)) return "";
  if (!source.startsWith(".")) return `The package has no dependencies, so it cannot import ${source}.`;

  const target = relative(SRC, join(dirname(file), source))
    .split(sep)
    .join("/");
  if (target.startsWith(`${folder}/`)) return "";
  const isIndex = /^[\w-]+\/index\.js$/.test(target);
  // Files at the top of src only list public names.
  if (inside.length === 0) return isIndex ? "" : `Import the folder's index.js, not ${target}.`;

  const allowed = /** @type {Record<string, string[]>} */ (DIRECTION)[folder];
  if (!allowed)
    return `Add the folder ${folder} to ${relative(dirname(SRC), fileURLToPath(import.meta.url))}.`;
  if (allowed.includes(target)) return "";
  if (!isIndex) return `Import the folder's index.js, not ${target}.`;
  if (typeOnly && TYPES_OF_ALL.has(folder)) return "";
  if (allowed.includes("*") || allowed.includes(dirname(target))) return "";
  return `${folder} may not import ${dirname(target)}; it may import ${allowed.join(", ") || "only types"}.`;
}

const direction = {
  create(/** @type {any} */ context) {
    const check = (/** @type {any} */ node) => {
      if (!node.source) return;
      if (typeof node.source.value !== "string") {
        // The command line loads modules that users name.
        if (relative(SRC, context.filename).split(sep)[0] === "cli") return;
        context.report({ node, message: "Import a literal path." });
        return;
      }
      const kinds = [node, ...(node.specifiers ?? [])].map((part) => part.importKind ?? part.exportKind);
      const typeOnly =
        kinds[0] === "type" || (kinds.length > 1 && kinds.slice(1).every((kind) => kind === "type"));
      const message = objection(context.filename, node.source.value, typeOnly);
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** Time is computed in doubles. BigInt would be slow, and allocates. */
const noBigint = {
  create(/** @type {any} */ context) {
    return {
      Literal(/** @type {any} */ node) {
        if (typeof node.value === "bigint")
          context.report({ node, message: "No BigInt: use exact doubles." });
      },
    };
  },
};

/** The functions of Math whose results ECMAScript specifies exactly. */
const EXACT = new Set([
  "abs",
  "ceil",
  "clz32",
  "floor",
  "fround",
  "imul",
  "max",
  "min",
  "round",
  "sign",
  "sqrt",
  "trunc",
]);

/** Our math functions must return the same bits on every engine, so they may only use exact functions. */
const exactMath = {
  create(/** @type {any} */ context) {
    const noPower = (/** @type {any} */ node) => {
      if (node.operator.startsWith("**"))
        context.report({ node, message: "Engines differ in **. Write a product or a literal." });
    };
    return {
      Identifier(/** @type {any} */ node) {
        const { parent } = node;
        if (node.name !== "Math") return;
        const isMember = parent.type === "MemberExpression" && parent.object === node && !parent.computed;
        if (isMember && EXACT.has(parent.property.name)) return;
        const name = isMember ? `Math.${parent.property.name}` : "Math";
        context.report({
          node,
          message: `Engines differ in ${name}. Only these are exact: ${[...EXACT].join(", ")}.`,
        });
      },
      BinaryExpression: noPower,
      AssignmentExpression: noPower,
    };
  },
};

export default {
  meta: { name: "tickwise" },
  rules: { direction, "no-bigint": noBigint, "exact-math": exactMath },
};
