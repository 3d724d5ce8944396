// `replay verify --queue`: submits the files to workers on other machines.
import { bar } from "./bar.js";
import type { Args } from "./args.js";
import { CliError, UsageError } from "./cli-error.js";
import type { Option } from "./command.js";
import { bytesOf, filesOf } from "./files.js";
import { guardingOf } from "./guarding.js";
import { remark } from "./screen.js";
import type { Report } from "./tasks.js";
import { errorText, optionText } from "./text.js";
import { isTickwiseError } from "../errors/index.js";
import type { OnConnection, VerifyQueue } from "../queue/index.js";
import { VerifyPrinter } from "./verify-printer.js";

export const QUEUE: Option = {
  value: "URL",
  about: "Use the workers of a queue on Redis: redis://HOST:PORT. Needs the packages bullmq and ioredis.",
};
export const QUEUE_NAME: Option = {
  value: "NAME",
  about: "With --queue: the name of the queue. Default: verify.",
};
export const MAX_BYTES: Option = {
  value: "BYTES",
  about: "With --queue: the longest file to submit. Default: 1048576.",
};

/** Files that are submitted before the first of them has its verdict. */
const MAX_AHEAD = 256;

/** Milliseconds until a file is submitted again for which the queue had no room. */
const PAUSE = 500;

/** Options that belong to the workers, or to two builds on this machine. */
const LOCAL = ["sim", "export", "against", "every", "jobs", "timeout"];

/** Submits the files, and prints the verdicts in order. Returns the exit status. */
export async function verifyByQueue(url: string, args: Args): Promise<number> {
  const local = LOCAL.find((name) => args.has(name));
  if (local !== undefined)
    throw new UsageError(
      `--${local} cannot be used with --queue: the workers have the simulations, and their own limits.`,
    );
  const files = filesOf(args.operands);
  const guard = await guardingOf(args);
  const maxBytes = args.whole("max-bytes", 1) ?? 2 ** 20;
  const { verifyQueue } = await import("../queue/index.js");
  const queue = await asCliError(() =>
    verifyQueue(url, { name: args.text("name"), guard, maxBytes, onConnection: connectionRemarks(url) }),
  );
  const printer = await VerifyPrinter.create(args, files);
  const reports: (Report | undefined)[] = files.map(() => undefined);
  let next = 0;
  let printed = 0;
  bar.start(() => ({ done: printed, total: files.length, note: printer.note(printed) }));
  const runner = async () => {
    while (next < files.length) {
      const index = next++;
      reports[index] = await reportOn(queue, files[index]!, maxBytes);
      for (let done; (done = reports[printed]); printed++) printer.report(done, printed);
    }
  };
  try {
    await asCliError(() => Promise.all(Array.from({ length: Math.min(MAX_AHEAD, files.length) }, runner)));
  } finally {
    bar.stop();
    await queue.close();
  }
  return printer.finish();
}

async function reportOn(queue: VerifyQueue, file: string, maxBytes: number): Promise<Report> {
  let bytes: Uint8Array;
  try {
    // One more than may be submitted, to see that it is too long without reading all of it.
    bytes = bytesOf(file, maxBytes + 1);
  } catch (error) {
    return { outcome: "unreadable", message: errorText(error) };
  }
  if (bytes.length > maxBytes)
    return {
      outcome: "unreadable",
      message: `too long for the queue: more than ${maxBytes} bytes. Increase --max-bytes.`,
    };
  for (;;)
    try {
      return (await queue.submit(bytes)) as Report;
    } catch (error) {
      if (!(isTickwiseError(error) && error.code === "refused")) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
}

/** Reports wrong addresses, missing packages and refusals of Redis as errors of the command line. */
export async function asCliError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isTickwiseError(error))
      throw new CliError(optionText(error, { sims: 1, queue: 1 }, { url: "queue" }));
    // Such as NOAUTH, for a missing password.
    if ((error as Error).name === "ReplyError") throw new CliError(`Redis: ${(error as Error).message}`);
    throw error;
  }
}

/** Returns a function that says on stderr that Redis is away, and that it is back. It does not show the password. */
export function connectionRemarks(url: string): OnConnection {
  let wasAway = false;
  return (isUp, problem) => {
    const { host } = new URL(url);
    if (!isUp) remark(`tickwise: waiting for Redis at ${host} (${problem})`);
    else if (wasAway) remark(`tickwise: Redis at ${host} is back`);
    wasAway = !isUp;
  };
}
