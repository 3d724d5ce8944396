import { expect, test } from "vitest";
import { Books } from "./books.js";

const SECOND = 1e9;

function booksWith(bound: number, surplus: number): Books {
  const books = new Books([60, 1]);
  books.setBound(bound);
  books.surplus.add(surplus);
  return books;
}

test("surplus is lost where no debt is allowed", () => {
  const books = booksWith(0, 3 * SECOND);
  expect(books.settle()).toBe(3);
  expect([books.debt.seconds, books.lost.seconds, books.owing]).toEqual([0, 3, false]);
});

test("surplus is owed up to the bound", () => {
  const books = booksWith(SECOND, 3 * SECOND);
  expect(books.settle()).toBe(2);
  expect([books.debt.seconds, books.lost.seconds, books.owing]).toEqual([1, 2, true]);
});

test("debt is paid back in parts that need not be steps", () => {
  const books = booksWith(SECOND, SECOND / 2);
  books.settle();
  let steps = 0;
  for (let i = 0; i < 50; i++) {
    books.repaid.clear();
    books.repay(SECOND / 100);
    steps += books.overstep.takeSteps();
  }
  expect([steps, books.overstep.rest, books.owing]).toEqual([30, 0, false]);
  books.repaid.clear();
  books.repay(SECOND);
  expect(books.overstep.takeSteps()).toBe(0);
});

test("a lower bound loses what is beyond", () => {
  const books = booksWith(SECOND, SECOND);
  books.settle();
  expect(books.setBound(SECOND / 4)).toBe(0.75);
  expect([books.debt.seconds, books.lost.seconds, books.surplus.isEmpty]).toEqual([0.25, 0.75, true]);
});

test("a frame that never was leaves debt and overstep as they were", () => {
  const books = booksWith(SECOND, SECOND / 2);
  books.settle();
  books.overstep.add(1e6);
  const { rest } = books.overstep;
  books.overstep.add(SECOND / 50);
  books.repay(SECOND / 7);
  books.overstep.takeSteps();
  books.surplus.add(5);
  books.revert(rest);
  expect([books.debt.seconds, books.overstep.rest, books.surplus.isEmpty]).toEqual([0.5, rest, true]);
});
