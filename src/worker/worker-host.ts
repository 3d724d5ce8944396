import { misuse } from "../errors/index.js";
import type { AnySimulation } from "../sim/index.js";
import { Port, type WorkerLike } from "./port.js";
import { dataOf, isMarked, marked, PROTOCOL, type ToPage, type ToWorker } from "./protocol.js";
import type { WorkerPlatform } from "./worker-platform.js";
import { WorkerRun, type RunOptions } from "./worker-run.js";

/** Serves a simulation to a page: one session at a time. */
export class WorkerHost {
  readonly #game: AnySimulation;
  readonly #port: Port;
  readonly #platform: WorkerPlatform;
  readonly #options: RunOptions;
  #run: WorkerRun | undefined;

  constructor(
    call: string,
    game: AnySimulation,
    port: WorkerLike,
    platform: WorkerPlatform,
    options: RunOptions,
  ) {
    this.#game = game;
    this.#platform = platform;
    this.#options = options;
    this.#port = new Port(`${call}: port`, port, { onMessage: (data) => this.#onMessage(data) });
    this.#greet();
  }

  #greet(): void {
    const { name, version, fingerprint } = this.#game;
    const { timeOrigin } = this.#platform;
    this.#post({ kind: "hello", protocol: PROTOCOL, name, version, fingerprint, timeOrigin });
  }

  #post(message: ToPage): void {
    this.#port.post(marked(message));
  }

  #onMessage(data: unknown): void {
    if (data instanceof ArrayBuffer) this.#run?.takeBack(data);
    else if (isMarked(data)) this.#handle(data as unknown as ToWorker);
  }

  #handle(message: ToWorker): void {
    const run = this.#run;
    switch (message.kind) {
      case "greet":
        return this.#greet();
      case "start":
        run?.stop();
        this.#run = undefined;
        try {
          this.#run = new WorkerRun(this.#game, this.#port, message, this.#platform, this.#options);
        } catch (error) {
          this.#post({ kind: "failed", start: message.start, tick: 0, error: dataOf(error) });
        }
        return undefined;
      case "stop":
        run?.stop();
        this.#run = undefined;
        return undefined;
      case "ping":
        return this.#post({ kind: "pong", sent: message.sent, answered: this.#platform.now() });
      case "call":
        return run?.call(message.id, message.call);
      case "inputs":
        return run?.inputs.takeEvents(message.events);
      case "words":
        return run?.inputs.takeWords(message.words);
      case "sources":
        return run?.inputs.use(message);
      case "command":
        return run?.command(message.command);
      case "hitStop":
        return run?.hitStop(message.seconds);
      case "runSteps":
        return run?.runSteps(message.count);
      case "settings":
        if (run) run.settings = message.settings;
        return undefined;
      case "wants":
        if (run) run.wants = message.wants;
        return undefined;
      default:
        return misuse(
          "unsupported",
          "serveSimulation",
          `unknown message ${JSON.stringify((message as { kind?: unknown }).kind)}`,
          "Use the same version of tickwise in the page and in the worker",
        );
    }
  }

  /** Ends the session, and stops listening. */
  close(): void {
    this.#run?.stop();
    this.#run = undefined;
    this.#port.leave();
  }
}
