import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";
import { documentOf } from "./layout.js";
import type { SitePage } from "./page.js";

/** Serves and builds pages that exist as functions, not as files. */
export function sitePages(root: string, pages: readonly SitePage[]): Plugin {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const fileOf = ({ path }: SitePage) => join(root, path, "index.html");
  const byFile = new Map(pages.map((page) => [fileOf(page), page]));
  const nameOf = (page: SitePage) => relative(root, fileOf(page)).split(sep).join("/");
  return {
    name: "tickwise-site-pages",
    config: () => ({
      build: {
        rolldownOptions: {
          checks: { pluginTimings: false },
          input: Object.fromEntries(pages.map((page) => [nameOf(page), fileOf(page)])),
        },
      },
    }),
    resolveId: (id) => (byFile.has(id) ? id : undefined),
    load(id) {
      const page = byFile.get(id);
      return page && documentOf(page);
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = new URL(request.url ?? "/", "http://site");
        const path = decodeURI(url.pathname)
          .replace(/index\.html$/, "")
          .replace(/^\//, "");
        const page = path === "" || path.endsWith("/") ? byPath.get(path.replace(/\/$/, "")) : undefined;
        if (!page) {
          // Relative links need the slash at the end.
          if (byPath.has(path)) response.writeHead(302, { location: `/${path}/${url.search}` }).end();
          else next();
          return;
        }
        documentOf(page)
          .then((html) => server.transformIndexHtml(url.pathname, html))
          .then(
            (html) =>
              response
                .writeHead(200, { ...server.config.server.headers, "content-type": "text/html" })
                .end(html),
            next,
          );
      });
    },
  };
}
