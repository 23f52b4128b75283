import { test } from "vitest";
import { expectNothingLost } from "@stowage/service/test/faults/kills.js";

const KILLS = 100;

test(`a service that is killed ${KILLS} times under load loses nothing that it acknowledged`, () =>
  expectNothingLost(KILLS));
