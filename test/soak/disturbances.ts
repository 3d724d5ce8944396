import type { Random } from "../../src/math/index.js";
import type { Runner } from "./runner.js";

/** How many ticks a run can go back. */
const past = ({ session, tick }: Runner) => tick - session.first;

/** Each leaves the run in its current state, or in one of its real past. */
export const DISTURBANCES = {
  rollback(run: Runner, dice: Random) {
    run.session.seek(run.tick - dice.below(past(run) + 1));
  },
  "many rollbacks"(run: Runner, dice: Random) {
    const { tick } = run;
    for (let n = dice.below(8); n >= 0; n--) {
      run.session.seek(run.tick - Math.min(past(run), dice.below(9)));
      while (run.tick < tick) run.session.advance();
    }
  },
  "another future"(run: Runner, dice: Random) {
    run.session.seek(run.tick - dice.below(past(run) + 1));
    run.stray(dice.int(-1000, 1000), 1 + dice.below(60));
  },
  "save and load"(run: Runner, dice: Random) {
    run.session.seek(run.tick - Math.min(past(run), dice.below(30)));
    const bytes = run.session.bytes();
    run.stray(1 + dice.below(1000), 1 + dice.below(30));
    run.session.load(bytes);
  },
  "new memory"(run: Runner) {
    run.move();
  },
  rewind(run: Runner, dice: Random) {
    run.session.rewind(0.25 + 3 * dice.float());
    for (let n = dice.below(40); n >= 0; n--) {
      run.session.advance();
      run.session.view(dice.float());
    }
    run.session.endRewind();
  },
  look(run: Runner, dice: Random) {
    for (let n = 0; n < 5; n++) run.session.view(dice.float());
  },
};
export type Disturbance = keyof typeof DISTURBANCES;
