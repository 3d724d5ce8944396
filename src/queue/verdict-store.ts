import type { Redis } from "ioredis";
import { PREFIX } from "./job.js";
import { verdictOf, verdictText, type Verdict } from "./verdict.js";

/** Keys per command. */
const BATCH = 500;

/**
 * The verdicts in Redis. The first one that is stored for a replay is final: what a second worker finds is not stored. They
 * expire by themselves.
 */
export class VerdictStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  /** @internal */
  constructor(redis: Redis, queue: string) {
    this.#redis = redis;
    this.#prefix = `${PREFIX}:${queue}:verdict:`;
  }

  /** Stores a verdict for `keep` seconds, unless there is one. Returns the verdict that is stored now. */
  async put(id: string, verdict: Verdict, keep: number): Promise<Verdict> {
    const key = this.#prefix + id;
    for (;;) {
      if ((await this.#redis.set(key, verdictText(verdict), "EX", keep, "NX")) === "OK") return verdict;
      const [first] = await this.get([id]);
      // It may have expired meanwhile.
      if (first) return first;
    }
  }

  /** Returns the verdicts of several replays; undefined for those that have none. */
  async get(ids: readonly string[]): Promise<(Verdict | undefined)[]> {
    const found: (Verdict | undefined)[] = [];
    for (let at = 0; at < ids.length; at += BATCH) {
      const keys = ids.slice(at, at + BATCH).map((id) => this.#prefix + id);
      const texts = await this.#redis.mget(keys);
      found.push(...texts.map((text) => (text === null ? undefined : verdictOf(text))));
    }
    return found;
  }

  async remove(id: string): Promise<void> {
    await this.#redis.del(this.#prefix + id);
  }
}
