import { FigureGrid, make, write } from "./elements.js";
import type { NetFigureName, NetFigures, PeerFigures } from "./net-figures.js";

/** The state has a row of its own. */
const GRID: readonly (readonly [name: NetFigureName])[] = [
  ["net"],
  ["pace"],
  ["ahead"],
  ["window"],
  ["delay"],
  ["predicted"],
  ["stalled"],
  ["rollbacks"],
  ["resim"],
  ["packet"],
  ["sent"],
];
/** The columns of a peer's line. */
const COLUMNS = ["peer", "trip", "jitter", "loss", "ahead"] as const satisfies readonly (keyof PeerFigures)[];
/** Maximum number of peers shown. */
const MAX_PEERS = 8;

/** The part of the overlay that shows a network session. */
export class NetPanel {
  readonly element = make("div", "net");
  private readonly grid = new FigureGrid(GRID);
  private readonly table = make("div", "peers");

  constructor() {
    this.element.hidden = true;
    this.table.setAttribute("aria-hidden", "true");
    this.element.append(this.grid.element, this.table);
  }

  show(net: NetFigures | undefined): void {
    this.element.hidden = net === undefined;
    if (!net) return;
    this.grid.show(net.figures);
    const { peers } = net;
    const lines = peers.slice(0, MAX_PEERS).map((peer) => COLUMNS.map((column) => peer[column]));
    if (lines.length > 0) lines.unshift([...COLUMNS]);
    if (peers.length > MAX_PEERS) lines.push([`and ${peers.length - MAX_PEERS} more`]);
    this.showLines(lines);
  }

  private showLines(lines: readonly (readonly string[])[]): void {
    const { table } = this;
    const cells = lines.flatMap((line) => COLUMNS.map((_, i) => line[i] ?? ""));
    while (table.children.length > cells.length) table.lastChild!.remove();
    while (table.children.length < cells.length) table.append(make("span", ""));
    cells.forEach((text, i) => write(table.children[i] as HTMLElement, text));
  }
}
