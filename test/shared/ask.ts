import { request } from "node:http";
import { inject } from "vitest";

/**
 * Requests a resource that test files share. It is started on first use; "DELETE" restarts it. Does not use `fetch`,
 * which times out after five minutes, as a busy machine may take longer to build a site.
 */
export function askFor<T>(path: string, method: "GET" | "DELETE" = "GET"): Promise<T> {
  return new Promise((resolve, reject) => {
    request(`${inject("shared")}/${path}`, { method }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${path}: ${text}`));
      });
    })
      .on("error", reject)
      .end();
  });
}

/** The path of a browser that no other file uses at the same time: each worker has its own. */
export const ownBrowser = (name: string) => `${name}/${process.env.VITEST_POOL_ID}`;
