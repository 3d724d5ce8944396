// Who is let in: origins, subprotocols, tokens of rooms, and signed tokens.
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { exportJWK, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { endAll, join, rawSocket, serve } from "./party.js";

const folder = mkdtempSync(joinPath(tmpdir(), "tickwise-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(endAll);

/** Writes a key, and returns its file. */
function keyFile(name: string, content: string): string {
  const file = joinPath(folder, name);
  writeFileSync(file, content);
  return file;
}

test("pages of other origins are refused; programs without one are not", async () => {
  const { address } = await serve({ origins: ["https://game.example"] });
  const from = (origin?: string) =>
    rawSocket(address, "/rooms/quick", origin === undefined ? {} : { origin });
  for (const wrong of [
    "https://evil.example",
    "https://game.example.evil.example",
    "http://game.example",
    "null",
  ])
    expect(await from(wrong).ended, wrong).toMatchObject({ status: 403 });
  for (const right of [from("https://game.example"), from()])
    await new Promise((resolve) => right.socket.once("message", resolve));
});

test("an origin that no page can have is rejected", async () => {
  for (const origin of [
    "example.com",
    "https://example.com/",
    "https://Example.com",
    "https://a.example https://b.example",
  ])
    await expect(serve({ origins: [origin] }), origin).rejects.toThrow(
      "roomServer: origins must be a protocol and a host each",
    );
  await serve({ origins: ["http://localhost:5173", "capacitor://localhost", "null"] });
});

test("other addresses, methods and subprotocols are refused", async () => {
  const { address } = await serve({ signal: false });
  for (const path of ["/", "/rooms", "/rooms/", "/rooms/a/b", "/signal/new", "/rooms/%ff", "/room/quick"])
    expect(await rawSocket(address, path).ended, path).toMatchObject({ status: 404 });
  expect(await rawSocket(address, "/rooms/quick", {}, ["other"]).ended).toMatchObject({ status: 400 });
  expect(await rawSocket(address, "/rooms/quick", {}, []).ended).toMatchObject({ status: 400 });
  const http = address.replace("ws", "http");
  expect((await fetch(`${http}/rooms/quick`)).status).toBe(426);
  expect((await fetch(`${http}/elsewhere`)).status).toBe(404);
});

test("compression is off, and only our subprotocol is answered: tokens do not come back in headers", async () => {
  const { address } = await serve();
  const { socket } = rawSocket(address, "/rooms/quick", { perMessageDeflate: true }, [
    "token.secret",
    "tickwise",
  ]);
  await new Promise((resolve) => socket.once("message", resolve));
  expect([socket.extensions, socket.protocol]).toEqual(["", "tickwise"]);
});

describe("signed tokens", () => {
  const SECRET = "a secret of at least thirty-two bytes";
  const secret = new TextEncoder().encode(SECRET);
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ed = generateKeyPairSync("ed25519");
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const token = (
    claims: object = {},
    expires: string | null = "1h",
    alg = "HS256",
    key: unknown = secret,
  ) => {
    const jwt = new SignJWT({ sub: "player-1", ...claims }).setProtectedHeader({ alg });
    return (expires === null ? jwt : jwt.setExpirationTime(expires)).sign(key as never);
  };
  const expectRefused = (address: string, options: object) =>
    expect(join(address, options)).rejects.toMatchObject({ code: "refused", value: "not-allowed" });

  test("a secret: valid, expired, forged, without an end, unsigned", async () => {
    const { address } = await serve({ jwt: { key: keyFile("secret", `${SECRET}\n`) } });
    await join(address, { jwt: await token() });
    await expectRefused(address, {});
    await expectRefused(address, { jwt: await token({}, "-1h") });
    await expectRefused(address, { jwt: await token({}, null) });
    await expectRefused(address, {
      jwt: await token({}, "1h", "HS256", new TextEncoder().encode(`${SECRET}!`)),
    });
    await expectRefused(address, { jwt: new UnsecuredJWT({}).setExpirationTime("1h").encode() });
    await expectRefused(address, { jwt: "a.b.c" });
    const [head, , signature] = (await token()).split(".");
    const body = Buffer.from('{"exp":99999999999}').toString("base64url");
    await expectRefused(address, { jwt: `${head}.${body}.${signature}` });
  });

  test("a token for one room, and types of claims", async () => {
    const server = await serve({ jwt: { key: keyFile("secret", SECRET), issuer: "site", audience: "game" } });
    const { address } = server;
    const own = { iss: "site", aud: "game" };
    const host = await join(address, { room: "new", jwt: await token(own) });
    const other = await join(address, { room: "new", jwt: await token({ ...own, room: "new" }) });
    const invited = await token({ ...own, room: host.code });
    await expectRefused(address, { room: other.code, jwt: invited });
    await expectRefused(address, { room: "quick", jwt: invited });
    const guest = await join(address, { room: host.code, jwt: invited });
    await expectRefused(address, { room: other.code, jwt: await token({ ...own, room: [host.code] }) });
    await expectRefused(address, { room: other.code, jwt: await token({ ...own, iss: "elsewhere" }) });
    await expectRefused(address, { room: other.code, jwt: await token({ iss: "site" }) });
    // Coming back needs only the token of the room, but a right one.
    guest.close();
    await expectRefused(address, { room: host.code, token: "forged" });
    await expectRefused(address, { room: host.code, token: "forged", watch: true });
    expect((await join(address, { room: host.code, token: guest.token })).room).toBe(host.room);
  });

  test("a meeting has no tokens of its own, so none replaces a signed one", async () => {
    const { address } = await serve({ jwt: { key: keyFile("secret", SECRET) } });
    const host = rawSocket(address, "/signal/new", {}, ["tickwise", `jwt.${await token()}`]);
    const [text] = (await once(host.socket, "message")) as [Buffer];
    const { code } = JSON.parse(text.toString()) as { code: string };
    const stranger = rawSocket(address, `/signal/${code}`, {}, ["tickwise", "token.forged"]);
    expect(await stranger.ended).toMatchObject({ code: 4004, reason: "this server needs a signed token" });
  });

  test("public keys, and no other algorithm than theirs", async () => {
    const pem = rsa.publicKey.export({ type: "spki", format: "pem" }) as string;
    const { address } = await serve({ jwt: { key: keyFile("rsa.pem", pem) } });
    await join(address, { jwt: await token({}, "1h", "RS256", rsa.privateKey) });
    await expectRefused(address, { jwt: await token({}, "1h", "EdDSA", ed.privateKey) });
    // The public key is no secret: whoever signs with it as one is a forger.
    await expectRefused(address, { jwt: await token({}, "1h", "HS256", new TextEncoder().encode(pem)) });
    const edServer = await serve({
      jwt: { key: keyFile("ed.pem", ed.publicKey.export({ type: "spki", format: "pem" }) as string) },
    });
    await join(edServer.address, { jwt: await token({}, "1h", "EdDSA", ed.privateKey) });
  });

  test("a set of keys", async () => {
    const keys = [await exportJWK(rsa.publicKey), await exportJWK(ec.publicKey)];
    const { address } = await serve({ jwt: { key: keyFile("jwks.json", JSON.stringify({ keys })) } });
    await join(address, { jwt: await token({}, "1h", "ES256", ec.privateKey) });
    await join(address, { jwt: await token({}, "1h", "RS256", rsa.privateKey) });
    await expectRefused(address, { jwt: await token({}, "1h", "EdDSA", ed.privateKey) });
  });

  test("bad keys are rejected when the server starts", async () => {
    const privatePem = rsa.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    const cases: readonly [string, string][] = [
      [keyFile("short", "too short"), "a secret of at least 32 bytes"],
      [keyFile("private.pem", privatePem), "the file of a public key, not of a private one"],
      [
        keyFile("broken.pem", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"),
        "the file of a public key",
      ],
      [keyFile("none.json", '{ "keys": [] }'), "a set of public keys"],
      [keyFile("oct.json", '{ "keys": [{ "kty": "oct", "k": "AAAA" }] }'), "a set of public keys"],
      [joinPath(folder, "missing"), "a file that can be read"],
    ];
    for (const [key, rule] of cases)
      await expect(serve({ jwt: { key } }), key).rejects.toThrow(`roomServer: jwt.key must be ${rule}`);
  });
});
