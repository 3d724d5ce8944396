// A leaderboard: who lands most often in a minute? POST a replay to /scores/NAME, and GET /scores. Workers verify the replays:
//   redis-server & node dist/cli/main.js worker --queue redis://127.0.0.1:6379 --sims examples/leaderboard/sims & node examples/leaderboard/server.mjs
import { createServer } from "node:http";
import { verifyQueue } from "tickwise/queue";
import { readReplayInfo } from "tickwise/replay";

const { REDIS_URL = "redis://127.0.0.1:6379", PORT = "8080", SEED = "monday" } = process.env;
const MAX_BYTES = 100_000;
const queue = await verifyQueue(REDIS_URL, { maxBytes: MAX_BYTES });
/** By the id of the replay, so that nobody can submit another player's. Yours are in a database, and players log in. */
const scores = new Map();

/** Returns a status and a reply. */
async function submit(player, request) {
  let bytes = Buffer.alloc(0);
  for await (const part of request)
    if ((bytes = Buffer.concat([bytes, part])).length > MAX_BYTES) return [413, "too long"];
  const id = await queue.add(bytes);
  const verdict = await queue.submit(bytes, { signal: AbortSignal.timeout(60_000) });
  if (verdict.outcome !== "ok") return [422, `${verdict.outcome}: ${verdict.message}`];
  // What readResult in sims/lander/1.mjs has returned.
  const { landings, seconds } = verdict.result;
  // A replay can begin with any state, and with any luck: accept only whole games, with the seed of the day.
  if (verdict.starts !== "init" || seconds !== 60 || readReplayInfo(bytes).seed !== SEED)
    return [422, `not a game of 60 seconds with the seed ${SEED}`];
  if (scores.has(id) && scores.get(id).player !== player) return [409, "another player's replay"];
  scores.set(id, { player, landings });
  return [200, { player, landings }];
}

const STATUS = { "bad-value": 413, refused: 503 };
const failed = ({ code, name, message }) =>
  name === "TimeoutError"
    ? [504, "no verdict within 60 s: does a worker run?"]
    : [STATUS[code] ?? 500, message];
const best = () => [...scores.values()].sort((a, b) => b.landings - a.landings).slice(0, 10);

const server = createServer(async (request, response) => {
  const player = /^\/scores\/([\w-]{1,20})$/.exec(request.url)?.[1];
  const isPost = request.method === "POST" && player !== undefined;
  const [status, reply] = isPost ? await submit(player, request).catch(failed) : [200, best()];
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(reply));
});
server.listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/scores`));
