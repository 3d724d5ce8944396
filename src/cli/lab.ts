import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "./command.js";
import { print } from "./screen.js";
import { CliError, EXIT_OK, UsageError } from "./cli-error.js";

/** The root of the package, or of the repository. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".md": "text/plain; charset=utf-8",
};

export const lab: Command = {
  name: "lab",
  usage: "[--port N]",
  summary: "Serves the lab, from a clone of Tickwise's repository",
  about: [
    "Serves the lab: pages where one sees what a loop does, what others do, and how smooth your display is. Its files would double the size of the package, and are not in it: this works in a clone of Tickwise's repository, after npm run build.",
  ],
  operands: [0, 0, ""],
  options: { port: { value: "N", about: "Where to listen. Default: one that is free." } },
  examples: ["tickwise lab --port 8080"],
  async run(args) {
    const port = args.whole("port", 0) ?? 0;
    if (port > 65_535) throw new UsageError(`--port must be at most 65535, got ${port}.`);
    const folder = join(ROOT, "lab/dist");
    if (!existsSync(join(folder, "index.html")))
      throw new CliError(
        existsSync(join(ROOT, "lab/index.html"))
          ? "the lab is not built. Try npm run build, or npm start, which serves it at once."
          : "the lab is not in the package, whose size it would double. It is in Tickwise's repository: in a clone of that, npm start serves it.",
      );
    const server = createServer((request, response) => {
      const path = pathOf(folder, request.url ?? "/");
      if (path === undefined) {
        response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.\n");
        return;
      }
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      createReadStream(path).pipe(response);
    });
    await new Promise<void>((resolve, reject) => {
      server.on("error", (error: NodeJS.ErrnoException) =>
        reject(
          new CliError(
            error.code === "EADDRINUSE"
              ? `port ${port} is in use. Try another, or none, to have one that is free.`
              : error.message,
          ),
        ),
      );
      // Only for this machine.
      server.listen(port, "127.0.0.1", resolve);
    });
    print(`The lab, until Ctrl-C: http://localhost:${(server.address() as AddressInfo).port}/`);
    await new Promise((resolve) => server.on("close", resolve));
    return EXIT_OK;
  },
};

/** The file that an address means, if it lies in the folder. */
function pathOf(folder: string, url: string): string | undefined {
  try {
    const name = decodeURIComponent(new URL(url, "http://localhost").pathname);
    const path = normalize(join(folder, name.endsWith("/") ? `${name}index.html` : name));
    return path.startsWith(folder + sep) && statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
