import { beforeAll } from "vitest";
import { askFor } from "../shared/ask.js";

export interface PageServer {
  /** The address of a page that has the package as `tickwise`; with a policy, one that obeys it. */
  page(policy?: string): string;
}

/** The page with the package, for the tests of the file that calls it. */
export function usePackage(): PageServer {
  let address: string;
  beforeAll(async () => void (address = await askFor<string>("package")));
  return { page: (policy) => address + (policy ? `?policy=${encodeURIComponent(policy)}` : "") };
}
