// Files of the option `page`: nothing outside the folder, and the headers that shared memory needs.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endAll, serve } from "./party.js";

const top = mkdtempSync(join(tmpdir(), "tickwise-page-"));
const page = join(top, "dist");
beforeAll(() => {
  mkdirSync(join(page, "deep"), { recursive: true });
  mkdirSync(join(top, "dist-secret"));
  writeFileSync(join(top, "secret.txt"), "SECRET");
  writeFileSync(join(top, "dist-secret/secret.txt"), "SECRET");
  writeFileSync(join(page, "index.html"), "<!doctype html>top");
  writeFileSync(join(page, "deep/index.html"), "deep");
  writeFileSync(join(page, "game.wasm"), "wasm");
  writeFileSync(join(page, "empty.js"), "");
  writeFileSync(join(page, "ein Name ü.txt"), "named");
  writeFileSync(join(page, ".env"), "SECRET");
  symlinkSync(join(top, "secret.txt"), join(page, "link.txt"));
  symlinkSync(top, join(page, "up"));
  symlinkSync(join(page, "game.wasm"), join(page, "inside.wasm"));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));
afterEach(endAll);

/** Sends a request as it is: `fetch` would tidy up the path. */
function request(port: number, path: string, method = "GET", headers = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => (text += data.toString("latin1")));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);
  });
}

test("serves files with their types and the headers for shared memory", async () => {
  const { port } = await serve({ page });
  const index = await request(port, "/");
  expect(index).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(index).toContain("\r\n\r\n<!doctype html>top");
  for (const header of [
    "cross-origin-opener-policy: same-origin",
    "cross-origin-embedder-policy: require-corp",
    "cross-origin-resource-policy: same-origin",
    "x-content-type-options: nosniff",
    "content-type: text/html; charset=utf-8",
    "content-length: 18",
  ])
    expect(index).toContain(header);
  expect(await request(port, "/deep/?query#part")).toContain("\r\n\r\ndeep");
  expect(await request(port, "/game.wasm")).toContain("content-type: application/wasm");
  expect(await request(port, "/inside.wasm")).toContain("\r\n\r\nwasm");
  expect(await request(port, "/empty.js")).toContain("content-length: 0");
  expect(await request(port, "/ein%20Name%20%C3%BC.txt")).toContain("\r\n\r\nnamed");
  const head = await request(port, "/", "HEAD");
  expect(head).toContain("content-length: 18");
  expect(head.endsWith("\r\n\r\n")).toBe(true);
  const etag = /etag: (\S+)/.exec(index)![1]!;
  expect(await request(port, "/", "GET", `If-None-Match: ${etag}\r\n`)).toMatch(/^HTTP\/1\.1 304/);
  expect(await request(port, "/", "POST")).toMatch(/^HTTP\/1\.1 405/);
});

test("nothing outside the folder can be reached", async () => {
  const { port } = await serve({ page });
  const paths = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/%252e%252e%252fsecret.txt",
    "/deep/../../secret.txt",
    "/deep/..%5c..%5csecret.txt",
    "/..\\secret.txt",
    "/....//secret.txt",
    "/../dist-secret/secret.txt",
    "/link.txt",
    "/up/secret.txt",
    "/up/dist-secret/secret.txt",
    "/.env",
    "/%2eenv",
    "/deep/../.env",
    "/index.html%00.txt",
    "/%00",
    "/C:/secret.txt",
    "/%",
    "//secret.txt",
    "//etc/passwd",
    "/deep",
    "/missing",
    "http://localhost/../secret.txt",
    `/${"a/".repeat(2000)}`,
    `/${"%2e%2e/".repeat(50)}etc/passwd`,
  ];
  for (const path of paths) {
    const answer = await request(port, path);
    expect(answer, path).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer, path).not.toMatch(/SECRET|root:/);
  }
});
