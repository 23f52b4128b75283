export { type Case, type Profile, profiles } from "./case.js";
export { Failure, LeftOut } from "./expect/failure.js";
export { toJson } from "./report/json.js";
export { toText } from "./report/text.js";
export { CannotRun } from "./run/connect.js";
export { casesOf, type Report, type Result, type Run, startRun, type Target, verify } from "./run/run.js";
