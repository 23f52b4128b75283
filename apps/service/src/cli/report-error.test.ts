import { StowageError } from "@stowage/schemas";
import { describe, expect, test } from "vitest";
import { ConfigError } from "#settings/parse-settings.js";
import { ConnectionError } from "#db/driver/connection-error.js";

import { describeError } from "./report-error.js";

const coded = (code: string, message = "hunter2") => Object.assign(new Error(message), { code });

describe("describes in one sentence without values", () => {
  test.each<[string, unknown, RegExp]>([
    [
      "a wrong setting",
      new ConfigError("The setting S3_BUCKET is required."),
      /^The setting S3_BUCKET is required\.$/,
    ],
    [
      "an unknown project",
      new StowageError("not_found", { detail: "Project not found" }),
      /^Project not found$/,
    ],
    [
      "a database that is down",
      new StowageError("unavailable", { cause: coded("ECONNREFUSED") }),
      /^The database that DATABASE_URL names does not answer \(ECONNREFUSED\)\.$/,
    ],
    [
      "storage that is down",
      new StowageError("unavailable", { cause: Object.assign(coded("ECONNREFUSED"), { $metadata: {} }) }),
      /^Storage at S3_ENDPOINT does not answer as expected \(ECONNREFUSED\)\. Run stowage doctor\.$/,
    ],
    [
      "a database without tables",
      new Error("Failed query: select 'hunter2'", { cause: coded("42P01") }),
      /Run stowage migrate/,
    ],
    [
      "a connection that fails",
      new StowageError("unavailable", {
        cause: new ConnectionError("Cannot connect to PostgreSQL at db:5432.", "28P01", coded("28P01")),
      }),
      /^Cannot connect to PostgreSQL at db:5432\.$/,
    ],
    ["a bug", new TypeError("x is not a function"), /^Something unexpected went wrong \(TypeError\)\.$/],
  ])("%s", (_what, error, sentence) => {
    expect(describeError(error)).toMatch(sentence);
    expect(describeError(error)).not.toMatch(/hunter2|\n/);
  });
});
