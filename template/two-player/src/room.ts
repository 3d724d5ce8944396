import { joinRoom, type RoomLink } from "tickwise/net";

/** Joins any room with a free seat. After a reload, the tab gets its old seat back. */
export async function joinAgain(address: string): Promise<RoomLink> {
  const { room, token } = JSON.parse(sessionStorage["seat"] ?? "{}") as { room?: string; token?: string };
  const link = await joinRoom(address, { room, token }).catch((error: unknown) => {
    if (token === undefined) throw error;
    return joinRoom(address); // the seat is gone
  });
  sessionStorage["seat"] = JSON.stringify({ room: link.code, token: link.token });
  return link;
}
