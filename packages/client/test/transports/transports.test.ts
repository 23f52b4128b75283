import { testTransport } from "./transport-contract.js";
import { transportFixtures } from "./transport-fixtures.js";

for (const [name, start] of transportFixtures) testTransport(name, start);
