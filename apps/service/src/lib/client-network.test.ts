import { expect, test } from "vitest";
import { clientNetwork } from "./client-network.js";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:0201", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:DB8:1:2::", "2001:db8:1:2::"],
  ["2001:db8:1:3::1", "2001:db8:1:3::"],
  ["::1", "::"],
])("the client of %s is %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
