#!/usr/bin/env node
import { run } from "./run.js";

// Whoever reads has gone, as head does when it has enough: as if the signal had ended it.
const SIGPIPE = 128 + 13;
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? SIGPIPE : 2);
  });

process.exitCode = await run(process.argv.slice(2));
