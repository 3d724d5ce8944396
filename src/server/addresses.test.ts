import { expect, test } from "vitest";
import { addressGroup, TrustedProxies } from "./addresses.js";

test("without trusted proxies, the header is not believed", () => {
  const none = new TrustedProxies([]);
  expect(none.clientOf("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
  expect(none.clientOf("::ffff:203.0.113.9", undefined)).toBe("203.0.113.9");
});

test("behind trusted proxies, the last address that is not one of them counts", () => {
  const proxies = new TrustedProxies(["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);
  expect(proxies.clientOf("10.1.2.3", "198.51.100.1")).toBe("198.51.100.1");
  // The client made up the first one.
  expect(proxies.clientOf("10.1.2.3", "6.6.6.6, 198.51.100.1")).toBe("198.51.100.1");
  expect(proxies.clientOf("::ffff:127.0.0.1", "198.51.100.1, 10.9.9.9")).toBe("198.51.100.1");
  expect(proxies.clientOf("fd12::1", "2001:db8::7")).toBe("2001:db8::7");
  expect(proxies.clientOf("10.1.2.3", undefined)).toBe("10.1.2.3");
  expect(proxies.clientOf("10.1.2.3", "unknown")).toBe("10.1.2.3");
  // Somebody who is no proxy.
  expect(proxies.clientOf("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
});

test("rejects what is no address", () => {
  for (const wrong of ["proxy", "10.0.0.0/33", "10.0.0.0/x", "1.2.3.4/8/8", ""])
    expect(() => new TrustedProxies([wrong]), wrong).toThrow(
      "roomServer: trustProxy must be addresses or subnets",
    );
});

test("a home network of IPv6 counts as one address", () => {
  expect(addressGroup("203.0.113.9")).toBe("203.0.113.9");
  expect(addressGroup("::ffff:203.0.113.9")).toBe("203.0.113.9");
  expect(addressGroup("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressGroup("2001:0db8:1:2::6")).toBe(addressGroup("2001:db8:1:2:ffff::"));
  expect(addressGroup("2001:db8:1:3::6")).not.toBe(addressGroup("2001:db8:1:2::6"));
  expect(addressGroup("::1")).toBe("0:0:0:0::/64");
  expect(addressGroup("64:ff9b::192.0.2.33")).toBe("64:ff9b:0:0::/64");
});
