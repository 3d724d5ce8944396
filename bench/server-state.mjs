// The state of the arena as the peers send it, in the precision of `roundedArena`: positions in 1/8 pixel, velocities in 2 pixels per
// second. All fit into 16 bits.
export const SEATS = 4;

export const place = (value) => Math.round(8 * value);
export const speed = (value) => Math.round(value / 2);

/** The state of a world as plain numbers, in the precision of all contenders. */
export function plainState({ bodies, players }) {
  return {
    bodies: Array.from({ length: SEATS + 1 }, (_, i) => ({
      x: place(bodies.x[i]),
      y: place(bodies.y[i]),
      vx: speed(bodies.vx[i]),
      vy: speed(bodies.vy[i]),
      pusher: bodies.pusher[i],
      blame: bodies.blame[i],
    })),
    players: Array.from({ length: SEATS }, (_, i) => ({
      aimX: players.aimX[i],
      aimY: players.aimY[i],
      rest: players.rest[i],
      away: players.away[i],
      isBot: players.isBot[i] === 1,
      points: players.points[i],
      falls: players.falls[i],
    })),
  };
}
