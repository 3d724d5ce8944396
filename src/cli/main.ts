#!/usr/bin/env node
import { EXIT_ERROR } from "./exit-status.js";
import { run } from "./run.js";

// The reader of the pipe, such as `head`, has closed it: exit as if by the signal.
const SIGPIPE = 128 + 13;
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? SIGPIPE : EXIT_ERROR);
  });

process.exitCode = await run(process.argv.slice(2));
