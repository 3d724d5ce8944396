import { beforeAll } from "vitest";
import { askFor } from "../shared/ask.js";

export interface PageServer {
  /** Returns the address of a page with the package as `tickwise`, and with a content security policy if given. */
  page(policy?: string): string;
}

/** Provides a page with the package to the tests of the calling file. */
export function usePackage(): PageServer {
  let address: string;
  beforeAll(async () => void (address = await askFor<string>("package")));
  return { page: (policy) => address + (policy ? `?policy=${encodeURIComponent(policy)}` : "") };
}
