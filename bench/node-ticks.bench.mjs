// Measures how punctual the drivers are. `npm run bench -- node-ticks --load 3` adds three busy processes.
import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { rounded } from "./rounds.mjs";

const CHILD = fileURLToPath(new URL("node-ticks-child.mjs", import.meta.url));
const SECONDS = 20;
const RATES = [60, 128];
const CONTENDERS = ["low", "high", "exclusive", "setInterval", "setTimeout"];
const run = promisify(execFile);

const { values: options } = parseArgs({
  options: { json: { type: "boolean" }, load: { type: "string", default: "0" } },
});
const busy = Array.from({ length: Number(options.load) }, () =>
  spawn(process.execPath, ["--eval", "for (;;);"]),
);
process.on("exit", () => busy.forEach((child) => child.kill()));

// All at once, so that other load affects all alike. They sleep most of the time.
const results = {};
for (const rate of RATES) {
  const rows = await Promise.all(
    CONTENDERS.map(async (name) => {
      const { stdout } = await run(process.execPath, [CHILD, name, rate, SECONDS]);
      const { p50, p99, max, cpu, ticks, wanted } = JSON.parse(stdout);
      const [late, later, latest] = [p50, p99, max].map((microseconds) => rounded(microseconds, 1));
      return [
        name,
        { p50: late, p99: later, max: latest, cpu: rounded(cpu, 3), ticks, off: rounded(ticks - wanted, 1) },
      ];
    }),
  );
  results[rate] = Object.fromEntries(rows);
  console.log(
    `${rate} Hz for ${SECONDS} s: microseconds off its time, share of a core, ticks, and ticks too many`,
  );
  console.table(results[rate]);
}
// By hand, as objects sort numeric keys first.
if (options.json) console.log(`{"bench":"node-ticks",${JSON.stringify(results).slice(1)}`);
for (const child of busy) child.kill();
