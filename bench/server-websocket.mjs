// A WebSocket client that costs as little as possible, the same for all contenders. Counts all bytes, framing included.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

export const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** What has arrived, for all sockets: it is read at once. */
const ARRIVED = Buffer.allocUnsafe(1 << 16);

export class LightSocket {
  #socket;
  #rest = undefined;
  #isUpgraded = false;
  #isClosed = false;
  /** Bytes before the first frame, which are not counted. */
  #read = 0;
  #written = 0;

  /** `onMessage(bytes, isText)`; the bytes are valid only during the call. */
  constructor(port, path, { protocol, onOpen, onMessage, onClose }) {
    this.onOpen = onOpen;
    this.onMessage = onMessage;
    this.onClose = onClose;
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      // Without a stream and a new buffer for each message.
      onread: {
        buffer: ARRIVED,
        callback: (length, buffer) => {
          this.#receive(buffer.subarray(0, length));
          return true;
        },
      },
    });
    this.#socket.on("connect", () => {
      this.#socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n` +
          `${protocol === undefined ? "" : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
      );
    });
    this.#socket.on("error", (error) => this.#end(error.message));
    this.#socket.on("close", () => this.#end("the connection was closed"));
  }

  /** Bytes that were received and sent as frames. */
  get bytesRead() {
    return this.#socket.bytesRead - this.#read;
  }
  get bytesWritten() {
    return this.#socket.bytesWritten - this.#written;
  }

  send(bytes, opcode = BINARY) {
    if (this.#isClosed) return;
    const { length } = bytes;
    const head = length < 126 ? 6 : 8;
    const frame = Buffer.allocUnsafe(head + length);
    frame[0] = 0x80 | opcode;
    frame[1] = 0x80 | (length < 126 ? length : 126);
    if (length >= 126) frame.writeUInt16BE(length, 2);
    // With a mask of zeros, the bytes stay as they are.
    frame.writeUInt32BE(0, head - 4);
    frame.set(bytes, head);
    this.#socket.write(frame);
  }

  close() {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #end(reason) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    this.onClose(reason);
  }

  #receive(chunk) {
    let bytes = chunk;
    if (this.#rest !== undefined) bytes = Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    let at = 0;
    if (!this.#isUpgraded) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) {
        this.#rest = Buffer.from(bytes);
        return;
      }
      if (!bytes.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101")))
        return this.#end(bytes.subarray(0, end).toString().split("\r\n")[0]);
      this.#isUpgraded = true;
      at = end + 4;
      this.#read = this.#socket.bytesRead - (bytes.length - at);
      this.#written = this.#socket.bytesWritten;
      this.onOpen();
    }
    while (!this.#isClosed && bytes.length - at >= 2) {
      const short = bytes[at + 1] & 127;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (bytes.length - at < head) break;
      const length =
        short < 126
          ? short
          : short === 126
            ? bytes.readUInt16BE(at + 2)
            : Number(bytes.readBigUInt64BE(at + 2));
      if (bytes.length - at < head + length) break;
      const opcode = bytes[at] & 15;
      const body = bytes.subarray(at + head, at + head + length);
      at += head + length;
      if (opcode === PING) this.send(body, PONG);
      else if (opcode === CLOSE) this.#end("closed by the server");
      else if (opcode === TEXT || opcode === BINARY) this.onMessage(body, opcode === TEXT);
    }
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }
}
