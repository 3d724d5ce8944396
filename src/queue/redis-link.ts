// Loads BullMQ and connects to Redis. A connection that is lost comes back by itself: commands wait for it.
import type * as BullMQ from "bullmq";
import type { Redis } from "ioredis";
import { badValue, misuse } from "../errors/index.js";
import type { OnConnection } from "./on-connection.js";

/** @internal The modules that users install. */
export interface QueueModules {
  readonly bullmq: typeof BullMQ;
  readonly ioredis: { readonly Redis: typeof Redis };
}

/** Longest pause between two attempts to connect, in milliseconds. */
const MAX_PAUSE = 1000;

/** @internal Imports BullMQ and its client, or says how to install them. */
export async function loadModules(call: string): Promise<QueueModules> {
  try {
    const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, ioredis };
  } catch (error) {
    return misuse(
      "unsupported",
      call,
      "bullmq and ioredis are not installed",
      "Install them with: npm install bullmq ioredis",
      error,
    );
  }
}

/** Checks the address. Errors do not show its password. */
export function requireRedisUrl(subject: string, url: unknown): asserts url is string {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined)
    badValue(
      subject,
      "an address that begins with redis:// or rediss://",
      typeof url === "string" ? "a text that is no address" : url,
      EXAMPLE,
    );
  if (!["redis:", "rediss:"].includes(parsed.protocol))
    badValue(subject, "an address that begins with redis:// or rediss://", parsed.protocol, EXAMPLE);
  if (parsed.hostname === "") badValue(subject, "an address with a host", parsed.protocol, EXAMPLE);
}

const EXAMPLE = '"redis://127.0.0.1:6379"';

/** @internal Connects to Redis. Returns at once: commands wait until it is reachable. */
export function connectRedis(
  { ioredis }: QueueModules,
  url: string,
  onConnection: OnConnection | undefined,
): Redis {
  const redis = new ioredis.Redis(url, {
    // Commands wait for Redis instead of failing.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * times, MAX_PAUSE),
  });
  let isUp: boolean | undefined;
  let problem = "";
  const tell = (now: boolean) => {
    if (isUp !== now) onConnection?.(now, now ? "" : problem || "connection closed");
    isUp = now;
    problem = "";
  };
  redis.on("ready", () => tell(true));
  redis.on("error", (error: NodeJS.ErrnoException) => (problem = error.code ?? error.message));
  // Not "close", which also follows `disconnect`.
  redis.on("reconnecting", () => tell(false));
  return redis;
}
