import { BlockList, isIP, isIPv6 } from "node:net";
import { badValue } from "../errors/index.js";

/** The proxies that may say on whose behalf they connect. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  /** `addresses`: of proxies, or of subnets: `"10.0.0.0/8"`. */
  constructor(addresses: readonly string[]) {
    this.#isEmpty = addresses.length === 0;
    for (const text of addresses) {
      const [address = "", bits, ...rest] = text.split("/");
      const type = isIPv6(address) ? "ipv6" : "ipv4";
      const max = type === "ipv6" ? 128 : 32;
      const prefix = bits === undefined ? max : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
      if (isIP(address) === 0 || !(prefix <= max) || rest.length > 0)
        badValue("roomServer: trustProxy", "addresses or subnets", text, '["10.0.0.0/8"]');
      this.#list.addSubnet(address, prefix, type);
    }
  }

  trusts(address: string): boolean {
    if (this.#isEmpty) return false;
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  }

  /**
   * Returns the address of the client. Each proxy appends the address that it saw to `forwarded` (the header X-Forwarded-For), so the
   * last one that is not a trusted proxy counts. Anything before may be made up.
   */
  clientOf(remote: string, forwarded: string | undefined): string {
    let client = plainAddress(remote);
    const hops = forwarded?.split(",") ?? [];
    while (this.trusts(client) && hops.length > 0) {
      const hop = plainAddress(hops.pop()!.trim());
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  }
}

/** Returns an address without a zone, and an IPv4 address that is written as IPv6 as itself. */
function plainAddress(address: string): string {
  const plain = address.replace(/%.*$/s, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  return mapped ?? plain;
}

/** Returns what counts as one address for limits: of IPv6 the first 64 bits, as one home has at least that many. */
export function addressGroup(written: string): string {
  // A server that listens on "::" sees IPv4 addresses as IPv6: they must not all count as one.
  const address = plainAddress(written);
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const parts = head.split(":").filter((part) => part !== "");
  const after = tail?.split(":").filter((part) => part !== "") ?? [];
  // An IPv4 address at the end stands for two parts.
  const length = parts.length + after.length + (address.includes(".") ? 1 : 0);
  const all = [...parts, ...Array.from({ length: Math.max(0, 8 - length) }, () => "0"), ...after];
  return `${all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":")}::/64`;
}
