import { COLOURS } from "./graph.js";

/**
 * The styles of the overlay's shadow root. The page's styles reach only its host, whose styles are all set here. Dark
 * on any page, as most games are.
 */
export const STYLE = `
:host {
  all: initial !important; display: block !important; margin: 0 0 8px !important; pointer-events: none !important;
}
:host([hidden]) { display: none !important; }
* { box-sizing: border-box; margin: 0; padding: 0; }
.box {
  width: 260px; max-width: calc(100vw - 16px); overflow: hidden; border-radius: 8px;
  background: rgb(18 23 32 / 94%); border: 1px solid #4a5768; box-shadow: 0 2px 10px rgb(0 0 0 / 35%);
  color: #eef2f7; font: 500 11px/14px system-ui, sans-serif; font-variant-numeric: tabular-nums;
  contain: content; text-align: left; forced-color-adjust: none; user-select: none; -webkit-user-select: none;
}
.box.collapsed { width: max-content; }
.head { position: relative; }
.summary { display: flex; align-items: center; gap: 6px; min-height: 24px; padding: 2px 9px; }
button { all: unset; position: absolute; inset: 0; border-radius: 7px; cursor: pointer; pointer-events: auto; }
button:hover { background: rgb(255 255 255 / 8%); }
button:focus-visible { outline: 2px solid #ffd166; outline-offset: -2px; }
.dot { width: 8px; height: 8px; border-radius: 50%; background: ${COLOURS.steps}; }
.has-problems .dot { border-radius: 1px; background: #ffb454; }
.fps { font-weight: 650; }
.hints { color: #ffb454; }
.tick { margin-left: auto; color: #a9b5c4; }
.sign { width: 8px; color: #a9b5c4; text-align: center; }
.collapsed .tick { display: none; }
.panel { padding: 0 9px 6px; }
.panel[hidden], .worker[hidden], .net[hidden], .monitors[hidden], dt[hidden], dd[hidden] { display: none; }
canvas { display: block; margin: 0 0 4px; border-radius: 3px; background: ${COLOURS.back}; }
dl { display: grid; grid-template-columns: 44px 1fr 48px 1fr; column-gap: 6px; }
.monitors { grid-template-columns: minmax(0, auto) minmax(0, 1fr); margin-top: 4px; padding-top: 4px; border-top: 1px solid #33404f; }
.monitors dt, .monitors dd { overflow: hidden; text-overflow: ellipsis; }
.monitors dd:nth-of-type(odd) { padding-right: 0; }
.worker { grid-template-columns: 44px minmax(0, 1fr) 44px minmax(0, 1fr); margin-top: 4px; padding-top: 4px; border-top: 1px solid #33404f; }
.worker dd:first-of-type { grid-column: 2 / -1; }
.worker dd:nth-of-type(odd) { padding-right: 0; }
.worker dd:nth-of-type(even) { padding-right: 12px; }
.net { margin-top: 4px; padding-top: 4px; border-top: 1px solid #33404f; }
.peers { display: grid; grid-template-columns: 1fr repeat(4, auto); column-gap: 9px; }
.peers span { text-align: right; white-space: nowrap; }
.peers span:nth-child(-n + 5) { margin-top: 3px; color: #a9b5c4; }
.peers span:nth-child(5n + 1) { text-align: left; overflow: hidden; text-overflow: ellipsis; }
dt { color: #a9b5c4; white-space: nowrap; }
dd { text-align: right; white-space: nowrap; }
dd:nth-of-type(odd) { padding-right: 12px; }
.net dl { grid-template-columns: 54px minmax(0, 1fr) 40px minmax(0, 1fr); }
.net dd:first-of-type { grid-column: 2 / -1; }
.net dd:nth-of-type(odd) { padding-right: 0; }
.net dd:nth-of-type(even) { padding-right: 12px; }
.time::before, .steps::before, .alpha::before {
  content: ""; display: inline-block; width: 6px; height: 6px; margin-right: 4px; border-radius: 1px;
}
.time::before { background: ${COLOURS.time}; }
.steps::before { background: ${COLOURS.steps}; }
.alpha::before { background: ${COLOURS.alpha}; }
ul { list-style: none; margin-top: 4px; padding-top: 4px; border-top: 1px solid #33404f; line-height: 13px; text-wrap: pretty; }
li + li { margin-top: 3px; }
.spoken { position: absolute; white-space: nowrap; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
