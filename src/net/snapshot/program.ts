import { COLUMN_WORDS, INTEGER, QUAT, SECTION_WORDS } from "./kernel-memory.js";
import type { Models } from "./models.js";
import type { WireFields } from "./wire-fields.js";
import { maxIdWord } from "./wire-ids.js";

/** Returns the sections and columns as words for the kernel. `firstContext` is the number of the first context in memory. */
export function programOf(
  { sections, hasBookkeeping }: WireFields,
  models: Models,
  firstContext: number,
): number[] {
  const program = [sections.length];
  const columnWords: number[] = [];
  const columnsFrom = 1 + SECTION_WORDS * sections.length;
  for (const { rows, stride, offset, table, columns } of sections) {
    program.push(
      rows,
      stride,
      offset,
      columnsFrom + columnWords.length,
      columns.length,
      table ? (hasBookkeeping ? 2 : 1) : 0,
      firstContext + models.rows(),
      maxIdWord(rows),
    );
    // Velocities come before what they move.
    const ordered = [
      ...columns.filter(({ velocity }) => !velocity),
      ...columns.filter(({ velocity }) => velocity),
    ];
    for (const { leaf, kind, first, count, isForFree, isBookkeeping, min, max, velocity } of ordered)
      columnWords.push(
        kind,
        first,
        count,
        (isForFree ? 1 : 0) + (isBookkeeping ? 2 : 0) + (kind === INTEGER && max - min < 256 ? 4 : 0),
        min,
        max,
        // Single values are too few to learn from, each on its own.
        firstContext + models.column(kind, rows === 1),
        kind === QUAT ? leaf.quantum! : 0,
        velocity ? velocity.column.first - first : 0,
        velocity?.scale ?? 0,
      );
  }
  if (columnWords.length % COLUMN_WORDS !== 0) throw new RangeError("columns");
  return [...program, ...columnWords];
}
