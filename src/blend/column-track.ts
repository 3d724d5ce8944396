import type { Numbers, StepLength } from "./batch.js";
import { resized, type Column } from "./column.js";
import type { AnyKind } from "./kinds.js";
import { motionOf, type Extrapolation, type MotionStates } from "./motion.js";
import type { TrackedField } from "./trackers.js";

/** The states of one column. Only columns of floats have a motion; the types of others are ignored. */
export interface ColumnTrack extends MotionStates, TrackedField {
  /** The user's column, as last seen. */
  next: Numbers;
  previous: Numbers;
  current: Numbers;
  shown: Column;
  before: Numbers;
  after: Numbers;
  /** Length of the column: the distance of its extra numbers. */
  stride: number;
}

const none = new Float64Array(0);

export function newTrack(name: string, kind: AnyKind, ahead: Extrapolation | undefined): ColumnTrack {
  const motion = motionOf(kind, ahead);
  const arrays = { next: none, previous: none, current: none, shown: none, before: none, after: none };
  return { name, kind, motion, ...arrays, from: 0, extra: 0, stride: 0 };
}

/** Adapts to a column of another length or type. */
export function resizeTrack(track: ColumnTrack, column: Column): void {
  track.previous = resized(column, track.previous) as Numbers;
  track.current = resized(column, track.current) as Numbers;
  track.shown = resized(column, track.shown);
  track.before = resizedBlocks(track, track.before, column);
  track.after = resizedBlocks(track, track.after, column);
  track.stride = column.length;
}

/** Returns one block of extra numbers after the other, each as long as the column. */
function resizedBlocks({ motion, stride }: ColumnTrack, old: Numbers, column: Column): Numbers {
  if (!motion) return none;
  const made = new Float64Array(column.length * motion.slots).fill(NaN);
  const kept = Math.min(stride, column.length);
  for (let slot = 0; slot < motion.slots; slot++)
    made.set(old.subarray(slot * stride, slot * stride + kept), slot * column.length);
  return made;
}

/** Reads the previous state of the first `rows`. Forgets those from `known` on, and teleported ones. */
export function enterMotion(
  track: ColumnTrack,
  velocity: Column | undefined,
  rows: number,
  known: number,
  teleported: Uint8Array,
  step: StepLength,
): void {
  const { motion, kind, before, stride } = track;
  if (velocity) readVelocity(before, velocity, rows * kind.width, step);
  motion!.enter(track, 0, rows * kind.width, 0, stride);
  for (let row = 0; row < known; row++) if (teleported[row]) forgetMotion(track, row, row + 1);
  forgetMotion(track, known, rows);
}

/** Called when the current state of the first `rows` was read. */
export function leaveMotion(
  track: ColumnTrack,
  velocity: Column | undefined,
  rows: number,
  step: StepLength,
): void {
  const { motion, kind, after, stride } = track;
  if (velocity) readVelocity(after, velocity, rows * kind.width, step);
  motion!.leave(after, track, 0, rows * kind.width, 0, stride);
}

/** Forgets the motion of rows. */
export function forgetMotion(track: ColumnTrack, first: number, end: number): void {
  const { motion, kind, stride } = track;
  if (end > first)
    motion!.forget(track, first * kind.width, (end - first) * kind.width, first * kind.width, stride);
}

function readVelocity(out: Numbers, velocity: Column, count: number, { dt }: StepLength): void {
  for (let i = 0; i < count; i++) out[i] = velocity[i]! * dt;
}
