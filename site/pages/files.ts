import type { Plugin } from "vite";

/** A file of the site that Vite does not process. */
export interface SiteFile {
  /** Its path from the root of the site: `search.json`. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Files that are made together, at the first request for one of them. */
export interface FileGroup {
  /** Matches the paths of its files, so that other requests need not wait for it. */
  readonly paths: RegExp;
  readonly files: () => SiteFile[] | Promise<SiteFile[]>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  png: "image/png",
  xml: "application/xml",
};

const typeOf = (path: string) => TYPES[path.split(".").at(-1)!] ?? "text/plain";

/** Serves and builds files that exist as functions. */
export function siteFiles(groups: readonly FileGroup[]): Plugin {
  const made = new Map<FileGroup, Promise<SiteFile[]>>();
  const filesOf = (group: FileGroup) => {
    if (!made.has(group)) made.set(group, Promise.resolve().then(group.files));
    return made.get(group)!;
  };
  return {
    name: "tickwise-site-files",
    configureServer({ middlewares, config }) {
      middlewares.use((request, response, next) => {
        const path = decodeURI(new URL(request.url ?? "/", "http://site").pathname).slice(1);
        const group = groups.find(({ paths }) => paths.test(path));
        if (!group) return next();
        filesOf(group).then((files) => {
          const file = files.find((each) => each.path === path);
          if (!file) return next();
          response
            .writeHead(200, { ...config.server.headers, "content-type": typeOf(path) })
            .end(file.content);
        }, next);
      });
    },
    async generateBundle() {
      for (const group of groups) {
        for (const { path, content } of await filesOf(group)) {
          this.emitFile({ type: "asset", fileName: path, source: content });
        }
      }
    },
  };
}
