import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StaticFiles } from "../server/static-files.js";
import type { Command } from "./command.js";
import { print } from "./screen.js";
import { CliError, UsageError } from "./cli-error.js";
import { EXIT_FAILED, EXIT_OK } from "./exit-status.js";

/** The root of the package, or of the repository. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const lab: Command = {
  name: "lab",
  usage: "[--port N]",
  summary: "Serve the lab, from a clone of Tickwise's repository",
  about: [
    "Serves the lab: pages that show what a game loop does, how other loops compare, and how smooth your display is. The npm package does not include the lab, which would double its size. Use a clone of Tickwise's repository, after npm run build.",
  ],
  operands: [0, 0, ""],
  options: { port: { value: "N", about: "The port to listen on. Default: any free port." } },
  examples: ["tickwise lab --port 8080"],
  async run(args) {
    const port = args.whole("port", 0) ?? 0;
    if (port > 65_535) throw new UsageError(`--port must be at most 65535, got ${port}.`);
    const folder = join(ROOT, "site/dist/lab");
    if (!existsSync(join(folder, "index.html")))
      throw new CliError(
        existsSync(join(ROOT, "lab/index.html"))
          ? "the lab is not built. Run npm run build first, or npm start to serve it without a build."
          : "the npm package does not include the lab. Clone Tickwise's repository and run npm start there.",
      );
    const files = new StaticFiles(folder, false);
    const server = createServer((request, response) => void files.answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.on("error", (error: NodeJS.ErrnoException) =>
        reject(
          new CliError(
            error.code === "EADDRINUSE"
              ? `port ${port} is in use. Give another one, or leave out --port to use any free port.`
              : error.message,
            EXIT_FAILED,
          ),
        ),
      );
      // Reachable only from this machine.
      server.listen(port, "127.0.0.1", resolve);
    });
    print(
      `Serving the lab at http://localhost:${(server.address() as AddressInfo).port}/ (press Ctrl-C to stop)`,
    );
    await new Promise((resolve) => server.on("close", resolve));
    return EXIT_OK;
  },
};
