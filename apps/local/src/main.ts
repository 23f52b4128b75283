import { checkout } from "./checkout.js";
import { runLocal } from "./run-local.js";

await runLocal({ installation: checkout });
