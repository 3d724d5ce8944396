import { basename, resolve } from "node:path";
import type { Command } from "./command.js";
import { EXIT_OK } from "./exit-status.js";
import { requirePackageName } from "./new-name.js";
import { chosen, type Choice } from "./new-questions.js";
import { requireEmpty, writeProject } from "./new-project.js";
import { print } from "./screen.js";

const VIEW: Choice = {
  option: "view",
  question: "Draw with",
  answers: { canvas: "a 2D canvas", three: "three.js, in 3D" },
};
const PLAY: Choice = {
  option: "play",
  question: "Play",
  answers: {
    local: "on this machine, against a bot",
    "two-player": "with somebody else, over a server",
  },
};

export const newProject: Command = {
  name: "new",
  usage: "FOLDER [--view VIEW] [--play MODE]",
  summary: "Create a game to start from, with Vite and TypeScript",
  about: [
    "Creates a small game in FOLDER, which must be new or empty: a declared simulation, a view that blends its states, keyboard, touch and gamepad, and tests for determinism and replays. The folder's name is the name of the package.",
    "On a terminal, asks for the options that you leave out. Uses no network: it prints the commands that install the packages and start the game.",
  ],
  operands: [1, 1, "folder"],
  options: {
    view: { value: "VIEW", about: "What draws the game: canvas or three. Default: canvas." },
    play: {
      value: "MODE",
      about:
        "local: against a bot. two-player: two browsers and a server, which npm start runs, too. Default: local.",
    },
    package: {
      value: "FILE",
      about:
        "Depend on a packed copy of Tickwise, such as tickwise-0.1.0.tgz. Default: this version, from npm.",
    },
  },
  examples: ["tickwise new my-game", "tickwise new my-game --view three --play two-player"],
  async run(args) {
    const [folder] = args.operands as [string];
    const name = basename(resolve(folder));
    requirePackageName(name);
    requireEmpty(folder);
    const parts = await chosen(args, [VIEW, PLAY]);
    writeProject({ folder, name, parts: ["common", ...parts], packed: args.text("package") });
    print(`Created ${name}: ${parts.join(", ")}. Next:\n`);
    // Quotation marks for the shell.
    const quoted = /^[\w./\\:~-]+$/.test(folder) ? folder : `"${folder}"`;
    if (resolve(folder) !== process.cwd()) print(`  cd ${quoted}`);
    print("  npm install");
    print("  npm start    # play it");
    print("  npm test     # check it");
    return EXIT_OK;
  },
};
