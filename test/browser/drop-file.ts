import type { Page } from "puppeteer-core";

/** Drags a file from the desktop onto the page. */
export async function dropFile(page: Page, path: string): Promise<void> {
  const client = await page.createCDPSession();
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await client.send("Input.dispatchDragEvent", { type, x: 100, y: 400, data });
}
