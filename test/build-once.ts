export { build as setup } from "../scripts/build.mjs";
