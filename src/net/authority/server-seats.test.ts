import { describe, expect, test } from "vitest";
import type { Join } from "./messages.js";
import { ServerClient } from "./server-client.js";
import { ServerSeats } from "./server-seats.js";

const ask = (token: string, seats: readonly number[], count = seats.length) =>
  ({ token, seats, count }) as Join;

function client(token: string, seats: readonly number[]): ServerClient {
  const one = new ServerClient(undefined as never, undefined as never, 1000 / 60);
  one.token = token;
  one.seats = seats;
  return one;
}

describe("ServerSeats", () => {
  test("gives free seats, the first ones if any will do", () => {
    const seats = new ServerSeats(4, [1], 60_000);
    expect(seats.choose(ask("a", [], 2), 0)).toEqual([0, 2]);
    expect(seats.choose(ask("a", [3]), 0)).toEqual([3]);
    expect(seats.choose(ask("a", [1, 3]), 0)).toBe("seat taken");
    expect(seats.choose(ask("a", [], 4), 0)).toBe("game full");
    expect(seats.choose(ask("a", [], 0), 0)).toEqual([]);
    seats.take(client("a", [0, 2]));
    expect(seats.choose(ask("b", [2]), 0)).toBe("seat taken");
    expect(seats.choose(ask("b", [], 1), 0)).toEqual([3]);
  });

  test("keeps the seats of who is gone, for a while, and only for it", () => {
    const seats = new ServerSeats(3, [], 1000);
    const [a, b] = [client("a", [0]), client("b", [1])];
    seats.take(a);
    seats.take(b);
    seats.release(a, true, 0);
    expect(seats.owners[0]).toBe(undefined);
    expect(seats.choose(ask("c", [0]), 500)).toBe("seat taken");
    expect(seats.choose(ask("c", [], 2), 500)).toBe("game full");
    expect(seats.choose(ask("c", [], 1), 500)).toEqual([2]);
    expect(seats.choose(ask("a", [], 1), 500)).toEqual([0]);
    expect(seats.choose(ask("a", [0]), 500)).toEqual([0]);
    // Whoever comes back may ask for others.
    expect(seats.choose(ask("a", [], 2), 500)).toEqual([0, 2]);
    expect(seats.choose(ask("c", [0]), 1000)).toEqual([0]);
  });

  test("keeps nothing for who left, or without time", () => {
    const seats = new ServerSeats(1, [], 1000);
    seats.take(client("a", [0]));
    seats.release(client("a", [0]), false, 0);
    expect(seats.choose(ask("b", [0]), 0)).toEqual([0]);
    const strict = new ServerSeats(1, [], 0);
    strict.take(client("a", [0]));
    strict.release(client("a", [0]), true, 0);
    expect(strict.choose(ask("b", [0]), 0)).toEqual([0]);
  });
});
