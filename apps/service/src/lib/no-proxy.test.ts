import { expect, test } from "vitest";
import { parseNoProxy } from "./no-proxy.js";

test.each<[list: string, direct: string[], proxied: string[]]>([
  ["", [], ["files.test:443"]],
  [
    "files.test",
    ["files.test:443", "a.files.test:443", "FILES.TEST:443", "files.test.:443"],
    ["xfiles.test:443", "test:443", "files.test.example:443"],
  ],
  [".files.test", ["files.test:443", "a.b.files.test:443"], ["xfiles.test:443"]],
  ["*.Files.test.", ["files.test:443", "a.files.test:443"], ["other.test:443"]],
  ["files.test:8443", ["a.files.test:8443"], ["files.test:443"]],
  ["*", ["files.test:443", "192.0.2.1:443", "[2001:db8::1]:443"], []],
  ["*:8443", ["files.test:8443"], ["files.test:443"]],
  ["192.0.2.1", ["192.0.2.1:443"], ["192.0.2.10:443", "a.192.0.2.1.test:443"]],
  ["192.0.2.1:8443", ["192.0.2.1:8443"], ["192.0.2.1:443"]],
  [
    "10.0.0.0/8,fd00::/8",
    ["10.1.2.3:443", "[fd00::1]:443", "[::ffff:10.1.2.3]:443"],
    ["11.0.0.1:443", "[fe00::1]:443"],
  ],
  ["[fd00::]/8,[fe80::]/10:8443", ["[fd00::1]:443", "[fe80::1]:8443"], ["[fe80::1]:443", "[ff00::1]:443"]],
  ["2001:DB8::1", ["[2001:db8:0:0::1]:443"], ["[2001:db8::2]:443"]],
  ["[2001:db8::1]:8443", ["[2001:db8::1]:8443"], ["[2001:db8::1]:443"]],
  [" a.test, b.test  c.test,, ", ["a.test:443", "b.test:443", "c.test:443"], ["d.test:443"]],
  ["0.0.1", [], ["10.0.0.1:443"]],
])("NO_PROXY=%s", (list, direct, proxied) => {
  const isDirect = parseNoProxy(list);
  const judge = (address: string) => isDirect(address.replace(/:\d+$/, ""), Number(/\d+$/.exec(address)![0]));
  expect(direct.filter((address) => !judge(address))).toEqual([]);
  expect(proxied.filter(judge)).toEqual([]);
});
