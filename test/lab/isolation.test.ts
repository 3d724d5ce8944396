// `npm start` and `npm run examples`, and the pages that they build, share memory with workers.
import { join } from "node:path";
import { createServer } from "vite";
import { expect, test } from "vitest";
import { askFor } from "../shared/ask.js";
import { useSite } from "../browser/site.js";
import { ROOT } from "../../scripts/setup.mjs";

const site = useSite("lab");

async function policiesOf(address: string): Promise<(string | null)[]> {
  const { status, headers } = await fetch(address);
  expect(status).toBe(200);
  return ["cross-origin-opener-policy", "cross-origin-embedder-policy"].map((name) => headers.get(name));
}

const ISOLATED = ["same-origin", "require-corp"];

test.each(["lab", "examples"])(
  "%s: the development server sends the headers of isolated pages",
  async (workspace) => {
    const server = await createServer({
      configFile: join(ROOT, workspace, "vite.config.ts"),
      logLevel: "warn",
      server: { host: "127.0.0.1", port: 0 },
      optimizeDeps: { noDiscovery: true, include: [] },
    });
    try {
      await server.listen();
      const address = server.resolvedUrls!.local[0]!;
      expect(await policiesOf(address)).toEqual(ISOLATED);
      // Modules of workers need them, too.
      expect(await policiesOf(`${address}${workspace === "lab" ? "src/main.ts" : "three/main.ts"}`)).toEqual(
        ISOLATED,
      );
    } finally {
      await server.close();
    }
  },
);

test("the built pages are isolated", async () => {
  expect(await policiesOf(await askFor<string>("site/lab"))).toEqual(ISOLATED);
  const page = await site.blank();
  await page.goto(site.address);
  expect(await page.evaluate("crossOriginIsolated && typeof SharedArrayBuffer")).toBe("function");
});
