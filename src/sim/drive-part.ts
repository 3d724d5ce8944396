import { misuse } from "../errors/index.js";
import type { FrameInfo, Loop, Part } from "../loop/index.js";
import type { Present } from "./presenter.js";
import type { Session } from "./session.js";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Makes a loop that of a session: it shows what the session presents, keeps its rate, and has no beats of its own. */
export class DrivePart implements Part {
  readonly name = "drive";

  constructor(
    private readonly loop: Loop,
    private readonly presented: () => Present | "latest",
    private readonly driven: () => Session<unknown>,
  ) {}

  /** The session that the loop drives now. */
  get session(): Session<unknown> {
    return this.driven();
  }

  /** The newest state, and the one after it, are shown a step earlier than a blend of the last two. */
  get ahead(): number {
    const presented = this.presented();
    return presented === "latest" || presented === "speculate" ? 1 : 0;
  }

  present(frame: Writable<FrameInfo>): void {
    const { kernel } = this.loop;
    const presented = this.presented();
    if (presented === "latest") {
      frame.alpha = 1;
      frame.shownTime = kernel.timeAt(frame.tick);
    } else if (presented === "speculate") frame.shownTime = kernel.timeAt(frame.tick + frame.alpha);
  }

  /** Refuses parts that a session cannot have. */
  use({ name }: { readonly name?: string | undefined }): void {
    if (name === "every")
      misuse(
        "rate-mismatch",
        "every",
        "this loop drives a session, whose ticks may go back, stall or be simulated again",
        'Declare the beat in simulation({ beats: { think: { rate: 4, run(world) {} } } }). For work outside of the simulation, count ticks in session.on("confirmed", …)',
      );
    if (name === "changeRate")
      misuse(
        "rate-mismatch",
        "changeRate",
        "this loop drives a session, and every replay, rollback and peer depends on the rate of its simulation",
        "To save time, put slow work into simulation({ beats }); for precision, take substeps in its step",
      );
  }
}
