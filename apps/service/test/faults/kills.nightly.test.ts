import { test } from "vitest";
import { expectNothingLost } from "./kills.js";

const KILLS = 100;

test(`${KILLS} kills under load lose nothing that was acknowledged`, () => expectNothingLost(KILLS));
