import type { Command } from "./command.js";
import { JSON_LINES } from "./command.js";
import { escaped } from "./escape.js";
import { filesOf } from "./files.js";
import { complain, count, painted, print, printJson } from "./screen.js";
import { EXIT_ERROR, EXIT_OK } from "./cli-error.js";
import { fieldText, readFile, secondsText } from "./text.js";

export const info: Command = {
  name: "replay info",
  usage: "FILE...",
  summary: "What a recording is of, how long it is, what it holds",
  about: [
    "Reads recordings and tells what they are of. The simulation is not needed. A folder stands for all *.twr below it.",
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
      const { info: of, first, last, seconds, ending, message, keyframes, checkpoints } = replay;
      const { packing, ...rest } = of;
      if (ending === "damaged") status = EXIT_ERROR;
      if (args.has("json")) {
        printJson({
          file,
          outcome: ending === "damaged" ? "damaged" : "ok",
          ...rest,
          inputs: packing.slots.map(({ name, field }) => ({ name, kind: field.kind, bits: field.bits })),
          first,
          last,
          seconds,
          bytes,
          checkpoints: { every: of.checkpoints, count: checkpoints.count },
          keyframes: { every: of.keyframes, ticks: keyframes.map(({ tick }) => tick) },
          ending,
          message,
        });
        continue;
      }
      const rate = of.rate[1] === 1 ? `${of.rate[0]}` : `${of.rate[0]}/${of.rate[1]}`;
      const spaced = (found: number, every: number, what: string) =>
        found === 0
          ? "none"
          : `${count(found, what)}${every === 1 ? ", every tick" : every > 0 ? `, every ${every} ticks` : ""}`;
      const inputs = packing.slots.map(({ name, field }) => fieldText(name, field));
      const rows: [string, string][] = [
        ["simulation", `${escaped(of.name)}, version ${of.version}`],
        ["length", `${secondsText(seconds)}: ticks ${first} to ${last}, at ${rate} a second`],
        ["players", `${of.players}`],
        ["inputs", inputs.join(", ") || "none"],
        ["seed", JSON.stringify(of.seed)],
        ["checkpoints", spaced(checkpoints.count, of.checkpoints, "hash")],
        ["keyframes", spaced(keyframes.length, of.keyframes, "state")],
        [
          "begins",
          first > 0 || replay.startState ? `with a state, in tick ${first}` : "as the simulation does",
        ],
        ["ends", ending === "done" ? "whole" : `${ending}: ${message}`],
        ["fingerprint", `${of.fingerprint}, mathematics of profile ${of.profile}`],
        ["meta", Object.keys(of.meta).length > 0 ? JSON.stringify(of.meta) : "none"],
        ["size", count(bytes, "byte")],
      ];
      if (i > 0) print("");
      print(painted("bold", escaped(file)));
      for (const [name, text] of rows) print(`  ${name.padEnd(13)}${text}`);
    }
    return status;
  },
};
