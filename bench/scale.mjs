// The figures of docs/scale.md: what a million players take, derived from those of the bench `server`. `node bench/scale.mjs` writes
// them into the page; a test compares them.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const PAGE = new URL("../docs/scale.md", import.meta.url);
const RESULTS = new URL("results.json", import.meta.url);

/** What is assumed. Replace it by what you know of your game. */
const PLAYERS = 1e6;
const SEATS = 4;
/** How full a core is planned: the rest is for peaks within a region, for a lost machine, and for new versions that start. */
const FULL = 0.6;
const CORES = 16;
/** Cores of a machine that run rooms. The others have the kernel's network, TLS and the rest of the system. */
const ROOM_CORES = 14;
/** Regions peak at different hours: together, they need more than the world at its peak. */
const REGIONS = 10;
const REGION_PEAKS = 1.3;
/** The mean number of players, over the peak; and how long one stays. */
const MEAN = 0.5;
const MINUTES = 10;
/** Bytes of IP and TCP per packet; packets down and up per player and second. */
const HEADERS = 52;
const DOWN = 20;
const UP = 60;
const DAYS = 30;

/**
 * What the bench `server` prints.
 *
 * @typedef {{
 *   cpuMsPerRoomSecond: { ours: { step: number; codec: number; socket: number } };
 *   roomsPerCore: { ours: number; colyseus: number; socketio: number };
 *   bytesDown: { ours: number; colyseus: number; socketio: number };
 *   bytesUp: { ours: number };
 *   kbPerRoom: number;
 *   growth: { ours: { rssKb: { base: number } } };
 * }} ServerResults
 */

/** @param {number} value */
const text = (value, digits = 0) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/**
 * The tables of the page, by name: rows of a text and a value.
 *
 * @param {ServerResults} results
 * @returns {Record<string, string[][]>}
 */
export function scaleTables({ cpuMsPerRoomSecond, roomsPerCore, bytesDown, bytesUp, kbPerRoom, growth }) {
  const { step, codec, socket } = cpuMsPerRoomSecond.ours;
  const total = step + codec + socket;
  const rooms = PLAYERS / SEATS;
  const roomsOfCore = Math.floor(FULL * roomsPerCore.ours);
  const roomsOfMachine = roomsOfCore * ROOM_CORES;
  const machines = Math.ceil((rooms * REGION_PEAKS) / roomsOfMachine);
  const playersOfMachine = SEATS * roomsOfMachine;
  const memory = (ROOM_CORES * growth.ours.rssKb.base + roomsOfMachine * kbPerRoom) / 2 ** 20;
  const down = bytesDown.ours + DOWN * HEADERS;
  const up = bytesUp.ours + UP * HEADERS;
  const gbit = (/** @type {number} */ bytes) => (8 * PLAYERS * bytes) / 1e9;
  const petabytes = (PLAYERS * MEAN * down * 86_400 * DAYS) / 1e15;
  const joins = PLAYERS / (60 * MINUTES);
  return {
    measured: [
      ["rooms per core at a p99 lateness of 5 ms", text(roomsPerCore.ours)],
      [
        "the same with plain Colyseus, with socket.io and JSON",
        `${text(roomsPerCore.colyseus)}, ${text(roomsPerCore.socketio)}`,
      ],
      ["processor time per room and second", `${text(total, 2)} ms`],
      ["of it: step, codec, socket", `${text(step, 2)}, ${text(codec, 2)}, ${text(socket, 2)} ms`],
      ["bytes per second to a player, with framing", text(bytesDown.ours)],
      ["bytes per second from a player, with framing", text(bytesUp.ours)],
      ["memory per room", `${text(kbPerRoom)} KB`],
    ],
    machines: [
      ["rooms of four", `1,000,000 / 4 = ${text(rooms)}`],
      ["rooms per core, as planned", `${FULL} × ${text(roomsPerCore.ours)} = ${text(roomsOfCore)}`],
      [
        `rooms per machine of ${CORES} cores`,
        `${ROOM_CORES} × ${text(roomsOfCore)} = ${text(roomsOfMachine)}`,
      ],
      ["players per machine", `4 × ${text(roomsOfMachine)} = ${text(playersOfMachine)}`],
      [
        "machines in all regions",
        `${text(rooms)} × ${REGION_PEAKS} / ${text(roomsOfMachine)} = ${text(machines)}`,
      ],
      [`machines per region, of ${REGIONS}`, `${text(machines)} / ${REGIONS} = ${text(machines / REGIONS)}`],
      [`memory of a machine's ${ROOM_CORES} processes`, `${text(memory, 1)} GB`],
    ],
    traffic: [
      [
        "to a player, with IP and TCP",
        `${text(bytesDown.ours)} + ${DOWN} × ${HEADERS} = ${text(down)} bytes/s`,
      ],
      ["from a player, with IP and TCP", `${text(bytesUp.ours)} + ${UP} × ${HEADERS} = ${text(up)} bytes/s`],
      ["egress at the peak", `10⁶ × ${text(down)} × 8 = ${text(gbit(down), 1)} Gbit/s`],
      ["ingress at the peak", `10⁶ × ${text(up)} × 8 = ${text(gbit(up), 1)} Gbit/s`],
      [
        "egress per month",
        `10⁶ × ${MEAN} × ${text(down)} × ${text(86_400 * DAYS)} s = ${text(petabytes, 2)} PB`,
      ],
      [
        "packets per second of a machine",
        `${text(playersOfMachine)} × (${DOWN} + ${UP}) = ${text(playersOfMachine * (DOWN + UP))}`,
      ],
      [
        "the same egress with Colyseus' patches",
        `${text(gbit(bytesDown.colyseus + DOWN * HEADERS), 1)} Gbit/s`,
      ],
      [
        "the same egress with socket.io and JSON",
        `${text(gbit(bytesDown.socketio + DOWN * HEADERS), 1)} Gbit/s`,
      ],
    ],
    matchmaking: [
      ["joins per second", `10⁶ / (${MINUTES} × 60) = ${text(joins)}`],
      ["new rooms per second", `${text(joins)} / 4 = ${text(joins / SEATS)}`],
      ["joins per second and region", text(joins / REGIONS)],
      ["players that reconnect when a machine dies", text(playersOfMachine)],
    ],
  };
}

const tableOf = (/** @type {string[][]} */ rows) => rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
const place = (/** @type {string} */ name) =>
  new RegExp(`(<!-- ${name} -->\n\\|.*\\|\n\\|.*\\|\n)((?:\\|.*\\|\n)*)`);

/**
 * Returns a page with the tables in their places: after `<!-- name -->` and the head of the table.
 *
 * @param {string} page
 * @param {Record<string, string[][]>} tables
 */
export function withTables(page, tables) {
  return Object.entries(tables).reduce((result, [name, rows]) => {
    if (!place(name).test(result)) throw new Error(`docs/scale.md has no table ${name}`);
    return result.replace(place(name), (_, head) => `${head}${tableOf(rows)}\n`);
  }, page);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { server } = JSON.parse(readFileSync(RESULTS, "utf8"));
  const page = fileURLToPath(PAGE);
  writeFileSync(page, withTables(readFileSync(page, "utf8"), scaleTables(server)));
}
