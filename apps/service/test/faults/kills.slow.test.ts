import { test } from "vitest";
import { expectNothingLost } from "./kills.js";

const KILLS = 6;

test(
  `a service that is killed ${KILLS} times under load loses nothing that it acknowledged`,
  () => expectNothingLost(KILLS),
  300_000,
);
