// Signed tokens: a site signs that a player may join, and the server checks it. By `jose`, an optional peer dependency.
import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { badValue, misuse } from "../errors/index.js";
import type { JwtOptions } from "./options.js";

/** What a token says about its holder. */
interface JoinClaims {
  /** The only room that it is for: a code, `"quick"` or `"new"`. */
  readonly room?: string | undefined;
  /** Who it is, in the terms of the site that signed it. */
  readonly sub?: string | undefined;
  /** The name of the player. */
  readonly name?: string | undefined;
}

/** Checks a token. Resolves with what it says, or undefined if it is forged, has expired or is not for this server. */
export type CheckJwt = (token: string) => Promise<JoinClaims | undefined>;

const CALL = "roomServer";
/** Bytes of a secret, at least: as many as HS256 has bits of security for. */
const MIN_SECRET = 32;
const ASYMMETRIC = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Algorithms by the type of a key. A token cannot choose another one. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  rsa: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  "rsa-pss": ["PS256", "PS384", "PS512"],
  ec: ["ES256", "ES384", "ES512"],
  ed25519: ["EdDSA", "Ed25519"],
};

/** Reads the key, and returns what checks tokens. */
export async function jwtChecker({ key: file, issuer, audience }: JwtOptions): Promise<CheckJwt> {
  const jose = await import("jose").catch((error: unknown) =>
    misuse("unsupported", CALL, 'the package "jose" is not installed', "Run npm install jose", error),
  );
  const text = await readFile(file, "utf8").catch((error: Error) =>
    badValue(`${CALL}: jwt.key`, `a file that can be read (${error.message})`, file, '"jwt.pem"'),
  );
  const options = {
    requiredClaims: ["exp"],
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  };
  const fail = (rule: string): never => badValue(`${CALL}: jwt.key`, rule, file, '"jwt.pem"');
  let verify: (token: string) => Promise<{ payload: object }>;
  if (text.includes("-----BEGIN")) {
    if (text.includes("PRIVATE KEY")) fail("the file of a public key, not of a private one");
    const key = publicKey(text) ?? fail("the file of a public key");
    const algorithms = ALGORITHMS[key.asymmetricKeyType ?? ""] ?? fail("an RSA, EC or Ed25519 key");
    verify = (token) => jose.jwtVerify(token, key, { ...options, algorithms: [...algorithms] });
  } else if (/^\s*\{/.test(text)) {
    const keys = keySet(text) ?? fail('a set of public keys: { "keys": [...] }');
    const find = jose.createLocalJWKSet(keys as never);
    verify = (token) => jose.jwtVerify(token, find, { ...options, algorithms: ASYMMETRIC });
  } else {
    const secret = new TextEncoder().encode(text.trim());
    if (secret.length < MIN_SECRET) fail(`a secret of at least ${MIN_SECRET} bytes, for HS256`);
    verify = (token) => jose.jwtVerify(token, secret, { ...options, algorithms: ["HS256"] });
  }
  return async (token) => {
    try {
      return claimsOf((await verify(token)).payload);
    } catch {
      return undefined;
    }
  };
}

function publicKey(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function keySet(json: string): object | undefined {
  try {
    const { keys } = JSON.parse(json) as { keys?: { kty?: string }[] };
    // A secret in a set of public keys is a mistake.
    return Array.isArray(keys) && keys.length > 0 && keys.every(({ kty }) => kty !== "oct")
      ? { keys }
      : undefined;
  } catch {
    return undefined;
  }
}

/** A claim of the wrong type makes a token invalid: a room that is not a text must not be taken for none. */
function claimsOf(payload: object): JoinClaims | undefined {
  const { room, sub, name } = payload as Record<string, unknown>;
  const isText = (value: unknown): value is string | undefined =>
    value === undefined || (typeof value === "string" && value.length <= 200);
  return isText(room) && isText(sub) && isText(name) ? { room, sub, name } : undefined;
}
