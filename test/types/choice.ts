// Compile-time tests: the line after each @ts-expect-error must not compile.
import {
  f64,
  layout,
  list,
  namesOf,
  oneOf,
  table,
  type ChoiceColumn,
  type ChoiceOf,
  type ChoiceValue,
} from "../../src/state/index.js";

const Mood = oneOf("calm", "angry");
const Reversed = oneOf("angry", "calm");
const Longer = oneOf("calm", "angry", "sad");
const Phase = oneOf("intro", "play");
// The names of class members are free.
const Odd = oneOf("value", "column");
const game = layout({
  mood: Mood,
  phase: Phase,
  odd: Odd,
  score: f64,
  moods: list(4, Mood),
  guests: table(4, { mood: Mood, past: list(3, Mood), wish: { mood: Mood } }),
});
const { world } = game.allocate();
const number: number = 1;

// Reads and writes.
world.mood = Mood.angry;
world.odd = Odd.value;
world.moods[2] = Mood.calm;
world.moods.fill(Mood.angry);
world.moods.set([Mood.angry, Mood.calm]);
world.guests.mood[0] = world.mood;
world.guests.mood[1] = world.guests.mood[0]!;
world.guests.wish.mood[0] = world.moods[1]!;
world.guests.add({ mood: Mood.angry, past: [Mood.calm, Mood.calm, Mood.angry], wish: { mood: Mood.calm } });
for (const guest of world.guests) {
  guest.mood = guest.mood === Mood.calm ? Mood.angry : Mood.calm;
  guest.past[1] = guest.mood;
  guest.wish.mood = guest.past[2]!;
  // @ts-expect-error a plain number
  guest.mood = 1;
  // @ts-expect-error a value of another choice
  guest.mood = Phase.play;
  // @ts-expect-error a plain number
  guest.past[1] = 1;
}
for (const mood of world.moods) world.mood = mood;
world.guests.mood.forEach((mood) => (world.mood = mood));
if (world.mood === Mood.calm || world.guests.mood[0] !== Mood.angry) world.mood = Mood.angry;
switch (world.mood) {
  case Mood.calm:
  case Mood.angry:
}
// The value is a number: it can be compared with one, and its name can be looked up.
const asNumber: number = world.mood;
if (world.mood === number) world.score++;
const shown: "calm" | "angry" | undefined = namesOf(Mood)[world.mood];
const column: Uint8Array = world.guests.mood;

// The type can be named.
type Mood = ChoiceOf<typeof Mood>;
const opposite = (mood: Mood): Mood => (mood === Mood.calm ? Mood.angry : Mood.calm);
world.mood = opposite(world.mood);
const named: ChoiceValue<["calm", "angry"]> = world.mood;
const count = (moods: ChoiceColumn<["calm", "angry"]>) => moods.length;
count(world.guests.mood);
count(world.moods.subarray(1));
const again: Mood = oneOf("calm", "angry").calm;

// @ts-expect-error a plain number
world.mood = 1;
// @ts-expect-error a plain number
world.mood = number;
// @ts-expect-error a name is not its value
world.mood = "calm";
// @ts-expect-error a value of another choice
world.mood = Phase.intro;
// @ts-expect-error a value of another choice
world.mood = world.phase;
// @ts-expect-error the same names in another order have other numbers
world.mood = Reversed.calm;
// @ts-expect-error a choice with more names
world.mood = Longer.calm;
// @ts-expect-error a choice with fewer names
const longer: ChoiceOf<typeof Longer> = Mood.calm;
// @ts-expect-error arithmetic makes a plain number
world.mood = world.mood + 1;
// @ts-expect-error no such name
world.mood = Mood.sad;
// @ts-expect-error names are constants
Mood.calm = Mood.angry;

// @ts-expect-error compared with a name
if (world.mood === "calm") world.score++;
// @ts-expect-error compared with a value of another choice
if (world.mood === Phase.intro) world.score++;
// @ts-expect-error compared with the same name of another choice
if (world.mood === Reversed.calm) world.score++;
// @ts-expect-error compared with the same name of a longer choice
if (world.mood === Longer.calm) world.score++;
switch (world.mood) {
  // @ts-expect-error compared with a value of another choice
  case Phase.play:
}

// @ts-expect-error a column of plain numbers
world.guests.mood[0] = 1;
// @ts-expect-error a column of another choice
world.guests.mood[0] = Phase.intro;
// @ts-expect-error filled with a plain number
world.guests.mood.fill(0);
// @ts-expect-error set to plain numbers
world.moods.set([0, 1]);
// @ts-expect-error a new row with a plain number
world.guests.add({ mood: 1 });
// @ts-expect-error a new row with a name
world.guests.add({ mood: "calm" });
// @ts-expect-error a new row with a value of another choice
world.guests.add({ mood: Phase.intro });
// @ts-expect-error a new row with a list of plain numbers
world.guests.add({ past: [0, 1, 0] });
// @ts-expect-error a new row with a plain number in a group
world.guests.add({ wish: { mood: 1 } });

export { again, asNumber, column, game, longer, named, shown };
