// The membership rules, explored: with all of them nothing goes wrong, and each one is necessary.
import { expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import { FULL } from "../full.js";
import { explore, play, RULES, type Bounds, type Rule, type State } from "./membership-model.js";

/** Everybody knows all inputs but the host's. */
const BASE: Bounds = { members: 3, ticks: 1, slow: [0], maxNumber: 3 };

/** What happens and how many states that leads to. */
type Exploration = readonly [title: string, bounds: Partial<Bounds>, states: number];

const EXPLORATIONS: readonly Exploration[] = [
  ["3 members", { changes: 1, stands: 1, slow: [0, 1, 2] }, 8_658],
  ["3 members, 2 candidates", { changes: 1, stands: 2, maxNumber: 4 }, 8_213],
  ["3 members, 2 ticks", { ticks: 2, changes: 1, stands: 1 }, 6_294],
  ["3 members, one leaves", { changes: 2, stands: 1, leaves: 1 }, 6_573],
  ["4 members", { members: 4, changes: 1, stands: 2 }, 10_483],
  ["a star of 3", { isStar: true, changes: 2, stands: 1, leaves: 1, maxNumber: 4 }, 7_753],
];

/** About 15,000 states per second. */
const LONG_EXPLORATIONS: readonly Exploration[] = FULL
  ? [
      ["3 members, 2 candidates", { changes: 2, stands: 2, maxNumber: 4, slow: [0, 1, 2] }, 109_044],
      ["3 members, 3 ticks", { ticks: 3, changes: 1, stands: 1, slow: [0, 1] }, 724_406],
      ["3 members, two leave", { changes: 2, stands: 2, leaves: 2, maxNumber: 4 }, 76_182],
      ["3 members and a joiner", { joiners: 1, changes: 2, stands: 1, maxNumber: 4 }, 444_624],
      ["4 members, 2 candidates", { members: 4, changes: 2, stands: 2, maxNumber: 4 }, 200_218],
      ["4 members, one leaves", { members: 4, changes: 2, stands: 1, leaves: 1, maxNumber: 4 }, 268_032],
      [
        "a star of 3, 3 changes",
        { isStar: true, changes: 3, stands: 1, leaves: 1, maxNumber: 5, slow: [0, 1] },
        189_153,
      ],
    ]
  : [];

test.for([...EXPLORATIONS, ...LONG_EXPLORATIONS])(
  "%s: no two confirm different contents for a tick",
  { timeout: 900_000 },
  ([, bounds, states]) => {
    expect(explore({ ...BASE, ...bounds })).toEqual({ states, trace: [] });
  },
);

test("longer random games violate nothing, and find violations of rules that are left out", () => {
  const dice = random(new Uint32Array(4)).seed("membership");
  const bounds = { members: 4, joiners: 1, ticks: 2, changes: 4, stands: 3, leaves: 1, maxNumber: 9 };
  const violation = (games: number, rules: Partial<Bounds> = {}) => {
    for (let i = 0; i < games; i++) {
      const { state, lines } = play({ ...bounds, ...rules }, 120, (count) => dice.int(0, count - 1));
      if (state.violation) return lines;
    }
    return undefined;
  };
  expect(violation(FULL ? 10_000 : 300)).toBeUndefined();
  expect(violation(100, { without: "majorityCertain" })).toBeDefined();
  expect(violation(100, { without: "wordOfOwnEpoch" })).toBeDefined();
  expect(violation(100, { without: "changesWait" })).toBeDefined();
});

/** What members can still do: confirm tick 0 in a roster of `members` (a bit per member). */
const PROGRESS: readonly (readonly [title: string, bounds: Partial<Bounds>, members: number])[] = [
  ["the host is silent: the other two go on without it", { changes: 1, stands: 1, only: /^[ab]/ }, 0b110],
  ["a guest is silent: the other two go on without it", { changes: 1, only: /^host|^a/ }, 0b011],
  ["a false alarm: the old host stays", { stands: 1 }, 0b111],
  [
    "the host leaves a game of two",
    { members: 2, changes: 1, stands: 1, leaves: 1, only: /^host l|^a/ },
    0b10,
  ],
  [
    "the hub leaves a star of two",
    { members: 2, isStar: true, changes: 1, stands: 1, leaves: 1, only: /^host l|^a/ },
    0b10,
  ],
  ["the host and a guest leave", { changes: 2, stands: 1, leaves: 2, only: /^host l|^a l|^b/ }, 0b100],
  ["a guest joins", { joiners: 1, changes: 1 }, 0b1111],
];

test.for(PROGRESS)("%s", ([, bounds, members]) => {
  const isReached = ({ rosters, members: all }: State) => {
    const roster = rosters.at(-1)!;
    const isTermOver = !bounds.stands || roster.since > 1;
    return (
      isTermOver &&
      roster.members === members &&
      all.some((me) => me.epoch === roster.epoch && roster.certain === 1)
    );
  };
  expect(explore({ ...BASE, ...bounds }, isReached).trace).not.toEqual([]);
});

/** Bounds in which leaving out the rule leads to a violation, and the lines of the shortest one. */
const SCENARIOS: { readonly [rule in Rule]: readonly [Partial<Bounds>, number] } = {
  majorityCertain: [{ changes: 1, stands: 1 }, 6],
  haveNeedsWord: [{ changes: 1, slow: [0, 1] }, 5],
  wordOfOwnEpoch: [{ changes: 1, slow: [1] }, 4],
  countAnew: [
    { members: 5, changes: 1, stands: 2, maxNumber: 4, only: /^(a [rhsb]|[cd] a|b [sbahi])|[cd] h/ },
    18,
  ],
  changesWait: [{ changes: 2, stands: 1 }, 6],
  changesWaitForInputs: [
    {
      joiners: 1,
      changes: 2,
      stands: 1,
      maxNumber: 5,
      only: /^(a [rh]|b a|b r|c|host issues roster (2: drops a|3: admits c))/,
    },
    12,
  ],
  oneMember: [{ changes: 2, stands: 1 }, 7],
  dropAtEnd: [{ changes: 1 }, 4],
  joinAfterWord: [{ joiners: 1, changes: 1 }, 5],
  onlyNewer: [{ changes: 1, slow: [1] }, 5],
  skipNumber: [{ changes: 1, stands: 1 }, 5],
  refuseOlder: [{ changes: 1, stands: 1, slow: [1] }, 8],
  oneAnswer: [{ stands: 2 }, 7],
  freezeHave: [{ changes: 1, stands: 1 }, 9],
  ignoreOlder: [{ changes: 2, stands: 1 }, 10],
  pendingHostWaits: [{ changes: 2, stands: 1 }, 10],
  keepOwnPromise: [{ changes: 1, stands: 2, maxNumber: 4 }, 9],
  countSilentHost: [
    { members: 4, changes: 2, stands: 1, only: /^(host issues roster (2: drops a|3: drops b)|a [sb]|b|c a)/ },
    9,
  ],
  highestReport: [{ changes: 1, stands: 1 }, 9],
  inputsBeforeBegin: [{ changes: 1, stands: 1 }, 7],
  sameMembers: [
    {
      members: 4,
      changes: 2,
      stands: 2,
      maxNumber: 4,
      only: /^(host issues roster 2: drops a|host [sb]|a [sbi]|[bc] a)/,
    },
    11,
  ],
  keepCuts: [{ changes: 1, stands: 1, maxNumber: 4, slow: [1] }, 8],
  wordEndsWithTerm: [{ changes: 1, stands: 1, slow: [0, 1] }, 8],
  noStarSuccession: [{ isStar: true, changes: 1, stands: 1 }, 8],
  meshBegin: [{ isStar: true, changes: 2, stands: 1, maxNumber: 4 }, 10],
  leaversGiveNoVote: [{ changes: 2, stands: 1, leaves: 1 }, 6],
  boundLeavers: [{ changes: 2, stands: 1, leaves: 1 }, 7],
  leaverReports: [{ changes: 2, stands: 1, leaves: 2, only: /^(host l|a [rhl]|b [sbi])/ }, 9],
  leaverEpochs: [{ changes: 2, stands: 1, leaves: 2, slow: [1], only: /^(host [il]|a [sb]|b l)/ }, 7],
  joinerEpoch: [
    { joiners: 1, changes: 2, stands: 1, only: /^(host issues .* admits c|a|b a|b h|c [la])/ },
    11,
  ],
  restartIsJoin: [{ changes: 1, stands: 1, leaves: 1 }, 6],
};

test.for(Object.entries(SCENARIOS))("the rule %s is necessary", ([name, [scenario, length]]) => {
  const rule = name as Rule;
  const bounds = { ...BASE, ...scenario };
  const { trace } = explore({ ...bounds, without: rule });
  expect(trace, RULES[rule]).toHaveLength(length);
  expect(trace.at(-1)).toMatch(/two rosters have number|confirmed before as that of/);
  expect(explore(bounds).trace).toEqual([]);
});
