// Serves the files of a folder, and nothing else.
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".glb": "model/gltf-binary",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".wav": "audio/wav",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Pages with these headers may use shared memory (SharedArrayBuffer). */
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

/** Serves the files of one folder. */
export class StaticFiles {
  readonly #folder: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `isIsolated`: with the headers that shared memory needs. */
  constructor(folder: string, isIsolated: boolean) {
    this.#folder = folder;
    this.#headers = { "x-content-type-options": "nosniff", ...(isIsolated ? ISOLATION : {}) };
  }

  /** Answers a request. Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method !== "GET" && request.method !== "HEAD")
        return this.#plain(response, 405, "Only GET and HEAD.");
      const file = await fileOf(this.#folder, request.url ?? "/");
      if (file === undefined) return this.#plain(response, 404, "Page not found.");
      const { size, mtimeMs } = await stat(file);
      const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`;
      const headers = { ...this.#headers, etag, "cache-control": "no-cache" };
      if (request.headers["if-none-match"] === etag) return void response.writeHead(304, headers).end();
      response.writeHead(200, {
        ...headers,
        "content-type": TYPES[extname(file).toLowerCase()] ?? "application/octet-stream",
        "content-length": size,
      });
      if (request.method === "HEAD") return void response.end();
      // Not more than announced, if the file grows meanwhile.
      const stream = createReadStream(file, { end: Math.max(0, size - 1) });
      stream.on("error", () => response.destroy());
      response.on("close", () => stream.destroy());
      if (size === 0) response.end();
      else stream.pipe(response);
    } catch {
      if (response.headersSent) response.destroy();
      else this.#plain(response, 404, "Page not found.");
    }
  }

  #plain(response: ServerResponse, status: number, text: string): void {
    response
      .writeHead(status, { ...this.#headers, "content-type": "text/plain; charset=utf-8" })
      .end(`${text}\n`);
  }
}

/**
 * Returns the file of a request; undefined if there is none. Files outside the folder cannot be reached: not by "..", in any encoding,
 * and not by a link. Files that begin with a dot are not served: they hold settings and secrets.
 */
async function fileOf(folder: string, url: string): Promise<string | undefined> {
  const path = url.split(/[?#]/, 1)[0]!;
  if (!path.startsWith("/")) return undefined;
  let name: string;
  try {
    name = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  // NUL; separators and drives of Windows; what would be decoded twice.
  if (/[\0\\:%]/.test(name)) return undefined;
  const parts = name.split("/").slice(1);
  if (parts.at(-1) === "") parts[parts.length - 1] = "index.html";
  if (parts.some((part) => part === "" || part.startsWith("."))) return undefined;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, ...parts));
    const isInside = file.startsWith(root.endsWith(sep) ? root : root + sep);
    return isInside && (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
