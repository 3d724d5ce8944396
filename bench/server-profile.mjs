// Splits the processor time of a process into step, codec and socket, by the file of each sample of V8's profiler.
import { Session } from "node:inspector/promises";

const MICROSECONDS = 500;

/** Profiles this process for some time. Returns the share of each part of the time in which it was busy. */
export async function profile(ms, folder) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: MICROSECONDS });
  await session.post("Profiler.start");
  await new Promise((done) => void setTimeout(done, ms));
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return sharesOf(profile, folder);
}

/** The part that a file belongs to. Undefined for code without a file, which belongs to its caller. */
function partOf(url, folder) {
  if (url === "") return undefined;
  if (/\/server-(profile|ipc)\.mjs/.test(url)) return "bench";
  const at = url.indexOf(folder);
  if (at >= 0)
    return /^\/(scenes|src\/(sim|input|math))\//.test(url.slice(at + folder.length)) ? "step" : "codec";
  // Streams, sockets and what schedules their callbacks; ws, and what engine.io adds to it.
  if (
    /^node:(net|internal\/(stream|streams|net|tty|js_stream|async_hooks|process\/task_queues)|stream|_http|buffer|internal\/buffer|events|internal\/event)/.test(
      url,
    )
  )
    return "socket";
  if (/node_modules\/(ws|engine\.io[\w-]*|@colyseus\/ws-transport)\//.test(url)) return "socket";
  return "codec";
}

const SPECIAL = {
  "(program)": "socket",
  "(idle)": "idle",
  "(garbage collector)": "garbage",
  "(root)": undefined,
};

function sharesOf({ nodes, samples, timeDeltas }, folder) {
  const parts = new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node, inherited) => {
    const { functionName, url } = node.callFrame;
    // The inspector is called by the watchdog of our rooms, and by this file.
    const own = url.startsWith("node:inspector") ? (inherited ?? "bench") : partOf(url, folder);
    const part = inherited === "bench" ? "bench" : (SPECIAL[functionName] ?? own ?? inherited);
    parts.set(node.id, part ?? "codec");
    for (const child of node.children ?? []) visit(byId.get(child), part);
  };
  visit(nodes[0], undefined);
  const times = { step: 0, codec: 0, socket: 0, garbage: 0, bench: 0, idle: 0 };
  const functions = new Map();
  samples.forEach((id, i) => {
    const part = parts.get(id);
    times[part] += timeDeltas[i];
    const { functionName, url } = byId.get(id).callFrame;
    const name = `${part} ${functionName} ${url.replace(/^.*\/(node_modules|src|scenes)\//, "$1/")}`;
    functions.set(name, (functions.get(name) ?? 0) + timeDeltas[i]);
  });
  const { step, codec, socket, garbage } = times;
  const busy = step + codec + socket + garbage;
  const top = [...functions]
    .filter(([name]) => !name.startsWith("idle"))
    .sort((a, b) => b[1] - a[1])
    .slice(0, 60);
  return {
    step: step / busy,
    codec: codec / busy,
    socket: socket / busy,
    garbage: garbage / busy,
    top: top.map(([name, time]) => `${((100 * time) / busy).toFixed(1)} % ${name}`),
  };
}
