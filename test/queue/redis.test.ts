import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { REDIS_NOTE, hasRedis, startRedis } from "../shared/redis.js";

test.skipIf(!hasRedis)(`Redis of the tests starts, restarts empty and stops${REDIS_NOTE}`, async () => {
  const redis = (await startRedis())!;
  expect(redis.url).toBe(`redis://127.0.0.1:${redis.port}`);
  expect(await command(redis.port, "SET a 1")).toBe("+OK");
  expect(await command(redis.port, "GET a")).toBe("$1\r\n1");
  await redis.kill();
  await expect(command(redis.port, "PING")).rejects.toThrow("ECONNREFUSED");
  await redis.restart();
  expect(await command(redis.port, "GET a")).toBe("$-1");
  await redis.stop();
  await expect(command(redis.port, "PING")).rejects.toThrow("ECONNREFUSED");
});

async function command(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${text}\r\n`);
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return data.toString().trimEnd();
}
