import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import type { FileGroup } from "./files.js";

const ICON = readFileSync(new URL("../public/icon.svg", import.meta.url), "utf8");

// Servers send this page for addresses in any folder, so it brings its own style and icon, and its script finds the start page: the
// first folder upwards that has an icon.
const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Page not found · Tickwise</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}" />
    <style>
      :root { background: light-dark(#fafaf7, #0e1116); color: light-dark(#14181f, #e9edf2); color-scheme: light dark; }
      body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem; font: 1.1rem/1.6 system-ui, sans-serif; }
      h1 { font-size: 2.2rem; line-height: 1.15; }
      a { color: light-dark(#1556c0, #8ab8ff); }
    </style>
  </head>
  <body>
    <main>
      <h1>This page does not exist</h1>
      <p>The address may be wrong, or the page has moved.</p>
      <p><a id="start" href="/">Start page</a> · <a id="docs" href="/docs/">Documentation</a></p>
    </main>
    <script type="module">
      const folders = location.pathname.split("/").slice(1, -1);
      for (let depth = folders.length; depth >= 0; depth--) {
        const root = ["", ...folders.slice(0, depth), ""].join("/");
        const { ok } = await fetch(root + "icon.svg", { method: "HEAD" }).catch(() => ({ ok: false }));
        if (!ok) continue;
        document.querySelector("#start").href = root;
        document.querySelector("#docs").href = root + "docs/";
        break;
      }
    </script>
  </body>
</html>
`;

/** The page that servers send for addresses that do not exist. */
export const notFoundPage: FileGroup = {
  paths: /^404\.html$/,
  files: () => [{ path: "404.html", content: HTML }],
};

/** Sends it from `npm start`, too: Vite has no page of its own. */
export const serveNotFound: Plugin = {
  name: "tickwise-not-found",
  configureServer:
    ({ middlewares }) =>
    () => {
      middlewares.use((request, response, next) => {
        if (request.headers.accept?.includes("text/html"))
          response.writeHead(404, { "content-type": "text/html" }).end(HTML);
        else next();
      });
    },
};
