// A plain static server, as any host of static files: a sub-path, gzip, and index.html for folders.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};
const COMPRESSED = new Set([".html", ".js", ".css", ".json", ".svg"]);

/** Serves a folder under a sub-path. Returns its address, and the function that stops it. */
export async function serveFolder(folder, base = "/game/time/") {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name =
      decodeURIComponent(pathname.slice(base.length)) + (pathname.endsWith("/") ? "index.html" : "");
    const path = join(folder, normalize(`/${name}`));
    const body = pathname.startsWith(base) ? await readFile(path).catch(() => undefined) : undefined;
    if (!body) return response.writeHead(404).end();
    const type = extname(path);
    response.setHeader("Content-Type", TYPES[type] ?? "application/octet-stream");
    response.setHeader("Cache-Control", "max-age=31536000");
    if (!COMPRESSED.has(type)) return response.end(body);
    response.setHeader("Content-Encoding", "gzip").end(gzipSync(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}${base}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
