export type { Driver } from "./driver.js";
