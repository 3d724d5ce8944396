/**
 * Netcode: links between peers, and sessions that play one simulation over them.
 *
 * @packageDocumentation
 */

export { MAX_MESSAGE, type Link, type LinkEvents } from "./link.js";
export { realScheduler, type Scheduler } from "../platform/index.js";
export {
  conditioned,
  type ConditionedLink,
  type ConditionedOptions,
  type Conditions,
  type MessageFates,
} from "./conditioned.js";
export { readReport, type DesyncReport, type ReportSide } from "./desync-report.js";
export type { Drift } from "./drift.js";
export { errorSmoothing, type ErrorSmoother } from "./error-smoothing.js";
export type { SmoothingOptions, SmoothingRule } from "./smoothing-options.js";
export { loopbackPair } from "./loopback.js";
export { NETWORK_PROFILES, type NetworkProfile } from "./network-profiles.js";
export { skewedScheduler, virtualScheduler, type VirtualScheduler } from "./virtual-time.js";
export { websocketLink, type SocketLike } from "./websocket.js";
export { colyseusLink, type ColyseusLink, type ColyseusRoom } from "./colyseus-link.js";
export { keepJoined, type ColyseusClient, type KeepJoinedOptions, type KeptJoined } from "./keep-joined.js";
export {
  answerLink,
  offerLink,
  type Answer,
  type ChannelLike,
  type DataChannelOptions,
  type IceServer,
  type Offer,
  type PeerConnectionLike,
} from "./data-channel.js";
export { datagramLink, type DatagramLink, type DatagramOptions, type DatagramTransport } from "./datagram.js";
export { joinRoom, type JoinOptions, type RoomLink } from "./room-link.js";
export { keepInRoom, type KeepInRoomOptions, type KeptInRoom } from "./keep-in-room.js";
export type { RoomEnd, RoomGreeting } from "./room-lobby.js";
export type { RoomSocketOptions } from "./room-socket.js";
export { meetPeers, type Meeting, type MeetOptions } from "./meet-peers.js";
export { peerSession, type PeerSession } from "./peer-session.js";
export type { EffectTiming, OwnInputs, PeerOptions, PredictRequest } from "./peer-options.js";
export type { NetInfo, PeerInfo } from "./net-info.js";
export type { DesyncEvent, NetEvents, PeerEvent, RollbackEvent, StallEvent } from "./net-events.js";
export type { Rejection } from "./messages.js";
export type { DropReason } from "./membership/roster.js";
export { serverSession, type ServerSession } from "./authority/server-session.js";
export type { ServerOptions } from "./authority/server-options.js";
export type { ClientEvent, ClientInfo, ServerEvents, ServerNet } from "./authority/server-net.js";
export { clientSession, type ClientSession } from "./authority/client-session.js";
export type { ClientOptions } from "./authority/client-options.js";
export type { ClientDesyncEvent, ClientEvents, ClientNet, ServerEvent } from "./authority/client-net.js";
export type { Attendee, Down } from "./authority/messages.js";
export { viewerSession, type ViewerSession } from "./authority/viewer-session.js";
export type { ViewerOptions } from "./authority/viewer-options.js";
export type { ViewerEvents, ViewerNet } from "./authority/viewer-net.js";
