// Sprites drawn as text, one pixel per character.
const COLOURS: Record<string, string> = {
  o: "#ff9f1c", // orange
  k: "#2b2d42", // dark
  g: "#2f8f4e", // leaves
  l: "#55b867", // lit leaves
  b: "#6b4a3a", // bark
  s: "#7d8597", // stone
  h: "#6fb7b0", // far hills
};

const BODY = `
  oooo
 oooooo
 ookook
 oooooo
  oooo
 oooooo
o oooo o
  oooo`;

/** One pose in the air, two for running. */
export const poses = [
  paint(`${BODY}\n ooo oo\noo    oo\n`),
  paint(`${BODY}\n  oooo\n oo  oo\n oo`),
  paint(`${BODY}\n  oooo\n  oooo\n    oo`),
];

export const tree = paint(`
    llll
  lllllggg
 lllllggggg
 llllgggggg
lllllggggggg
llllgggggggg
lllggggggggg
 llgggggggg
  gggggggg
    gbbg
     bb
     bb
     bb
     bb
     bb`);

export const stone = paint(`
  ssss
 ssssss
 sssssss
ssssssss`);

export const hill = paint(
  Array.from({ length: 28 }, (_, y) => {
    const half = Math.round(6 * Math.sqrt(y + 0.5));
    return " ".repeat(32 - half) + "h".repeat(2 * half);
  }).join("\n"),
);

function paint(picture: string): HTMLCanvasElement {
  const rows = picture.replace(/^\n/, "").split("\n");
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(...rows.map((row) => row.length));
  canvas.height = rows.length;
  const pen = canvas.getContext("2d")!;
  for (const [y, row] of rows.entries())
    for (const [x, character] of [...row].entries()) {
      pen.fillStyle = COLOURS[character] ?? "#0000";
      pen.fillRect(x, y, 1, 1);
    }
  return canvas;
}
