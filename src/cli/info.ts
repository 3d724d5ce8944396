import type { SeatChange } from "../replay/index.js";
import type { Command } from "./command.js";
import { JSON_LINES } from "./command.js";
import { escaped } from "./escape.js";
import { filesOf } from "./files.js";
import { complain, count, painted, print, printJson } from "./screen.js";
import { EXIT_ERROR, EXIT_OK } from "./exit-status.js";
import { fieldText, readFile, secondsText } from "./text.js";

export const info: Command = {
  name: "replay info",
  usage: "FILE...",
  summary: "Show the simulation, length and contents of a recording",
  about: [
    "Shows what is in recordings, without their simulation. A folder stands for all *.twr files in it and below.",
  ],
  operands: [1, Infinity, "FILE"],
  options: { json: JSON_LINES },
  examples: ["tickwise replay info match.twr"],
  async run(args) {
    let status = EXIT_OK;
    const files = filesOf(args.operands);
    const { readReplay } = await import("../replay/index.js");
    for (const [i, file] of files.entries()) {
      const read = readFile(file, (all) => ({ replay: readReplay(all), bytes: all.length }));
      if (typeof read === "string") {
        status = EXIT_ERROR;
        if (args.has("json")) printJson({ file, outcome: "unreadable", message: read });
        else complain(`${escaped(file)}: ${read}`);
        continue;
      }
      const { replay, bytes } = read;
      const { info: title, first, last, seconds, ending, message, keyframes, checkpoints } = replay;
      const { packing, commands, ...rest } = title;
      const { seats } = replay;
      if (ending === "damaged") status = EXIT_ERROR;
      if (args.has("json")) {
        printJson({
          file,
          outcome: ending === "damaged" ? "damaged" : "ok",
          ...rest,
          inputs: packing.slots.map(({ name, field }) => ({ name, kind: field.kind, bits: field.bits })),
          commands: commands?.description,
          first,
          last,
          seconds,
          seats,
          bytes,
          checkpoints: { every: title.checkpoints, count: checkpoints.count },
          keyframes: { every: title.keyframes, ticks: keyframes.map(({ tick }) => tick) },
          ending,
          message,
        });
        continue;
      }
      const rate = title.rate[1] === 1 ? `${title.rate[0]}` : `${title.rate[0]}/${title.rate[1]}`;
      const countAndInterval = (found: number, every: number, what: string) =>
        found === 0
          ? "none"
          : `${count(found, what)}${every === 1 ? ", every tick" : every > 0 ? `, every ${every} ticks` : ""}`;
      const inputs = packing.slots.map(({ name, field }) => fieldText(name, field));
      const rows: [string, string][] = [
        ["simulation", `${escaped(title.name)}, version ${title.version}`],
        ["length", `${secondsText(seconds)}: ticks ${first} to ${last}, ${rate} per second`],
        ["players", `${title.players}`],
        ["inputs", inputs.join(", ") || "none"],
        ...(commands ? [["commands", commands.names.map(escaped).join(", ")] as [string, string]] : []),
        ...(seats.length > 0 ? [["seats", seatsText(seats)] as [string, string]] : []),
        ["seed", JSON.stringify(title.seed)],
        ["checkpoints", countAndInterval(checkpoints.count, title.checkpoints, "hash")],
        ["keyframes", countAndInterval(keyframes.length, title.keyframes, "state")],
        [
          "starts",
          first > 0 || replay.startState
            ? `from a recorded state, in tick ${first}`
            : "from the initial state",
        ],
        ["ends", ending === "done" ? "complete" : `${ending}: ${message}`],
        ["fingerprint", `${title.fingerprint}, math profile ${title.profile}`],
        ["meta", Object.keys(title.meta).length > 0 ? JSON.stringify(title.meta) : "none"],
        ["size", count(bytes, "byte")],
      ];
      if (i > 0) print("");
      print(painted("bold", escaped(file)));
      for (const [name, text] of rows) print(`  ${name.padEnd(13)}${text}`);
    }
    return status;
  },
};

/** Says who sits in a seat from which tick on. */
const seatText = ({ tick, seat, absent, name }: SeatChange): string => {
  const who = name === "" ? `player ${seat}` : `${escaped(name)} (player ${seat})`;
  return `${who} ${absent ? "left" : "joined"} in tick ${tick}`;
};

const MAX_SEATS = 8;

const seatsText = (seats: readonly SeatChange[]): string => {
  const more = seats.length - MAX_SEATS;
  const shown = seats.slice(0, MAX_SEATS).map(seatText);
  return (more > 0 ? [...shown, `and ${more} more`] : shown).join(", ");
};
