// Runs the built command line again and again in one process: starting Node takes longer than most commands.
import { pathToFileURL } from "node:url";

const [, , main] = /** @type {[string, string, string]} */ (process.argv);
let count = 0;

process.on("message", async (/** @type {string[]} */ args) => {
  const said = { stdout: "", stderr: "" };
  for (const name of /** @type {const} */ (["stdout", "stderr"])) {
    process[name].write = (/** @type {string | Uint8Array} */ text) => {
      said[name] += text;
      return true;
    };
    // Each run adds one.
    process[name].removeAllListeners("error");
  }
  process.argv = [process.execPath, main, ...args];
  process.exitCode = 0;
  // A new query loads the module again.
  count += 1;
  await import(`${pathToFileURL(main).href}?${count}`);
  process.send?.({ status: process.exitCode, ...said });
});
