#!/usr/bin/env node
import { EXIT_ERROR } from "./exit-status.js";
import { run } from "./run.js";

// The reader of a pipe has gone, such as `head`: exit as if by the signal.
const SIGPIPE = 128 + 13;
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? SIGPIPE : EXIT_ERROR);
  });

process.exitCode = await run(process.argv.slice(2));
