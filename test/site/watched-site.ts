// The built site with the lab, behind a server that puts a script into each page: it notes errors, in any browser.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface WatchedSite {
  readonly address: string;
  /** Requests that failed so far. */
  readonly failed: readonly string[];
  close(): Promise<void>;
}

/** Notes errors and warnings in `complaints`. */
const WATCH = `<script>
  window.complaints = [];
  const note = (...parts) => window.complaints.push(parts.map((part) => [part, part?.stack].join(" ").trim()).join(" "));
  for (const level of ["error", "warn"]) {
    const log = console[level];
    console[level] = (...parts) => (note(level + ":", ...parts), log.apply(console, parts));
  }
  addEventListener("unhandledrejection", ({ reason }) => note("rejected:", reason));
  // Errors of elements whose files fail to load do not bubble. Firefox also reports preloads of modules that it already has.
  addEventListener(
    "error",
    ({ error, message, target }) => {
      if (target.rel !== "modulepreload") note("error:", error ?? message ?? target.outerHTML);
    },
    true,
  );
</script>`;

/** Serves built workspaces by the first folder of an address: `{ "": site, lab }`. Isolated, as `npm start` serves them. */
export async function watchedSite(parts: Readonly<Record<string, string>>): Promise<WatchedSite> {
  const failed: string[] = [];
  const server = createServer(async ({ url = "/", method = "GET" }, response) => {
    const [, folder = ""] = /^\/(\w+)\//.exec(url) ?? [];
    const [part, rest] =
      parts[folder] && folder ? [parts[folder], url.slice(folder.length + 2)] : [parts[""]!, url.slice(1)];
    const reply = await fetch(part + rest, { method });
    if (!reply.ok) failed.push(`${reply.status}: ${url}`);
    const headers = Object.fromEntries(
      ["content-type", "cross-origin-opener-policy", "cross-origin-embedder-policy"].map((name) => [
        name,
        reply.headers.get(name) ?? "",
      ]),
    );
    response.writeHead(reply.status, headers);
    if (!headers["content-type"]!.startsWith("text/html"))
      return response.end(Buffer.from(await reply.arrayBuffer()));
    return response.end((await reply.text()).replace(/<head>/, (head) => head + WATCH));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    failed,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
