import * as z from "zod";
import { databaseUrl, onOrOff, passwordFile, wholeNumber } from "./parsers.js";
import { setting, type SettingGroup } from "./setting.js";

export const database = {
  DATABASE_URL: setting(databaseUrl, {
    value: "`postgres://user:password@host:port/database?parameter=value`",
    meaning: "The database. [The database](database.md) describes the parameters of the URL.",
    neededBy: "everyone",
  }),
  DATABASE_PASSWORD_FILE: setting(passwordFile.optional(), {
    value: "path",
    ifUnset: "the password of `DATABASE_URL`",
    meaning:
      "A file with the password alone. It is read for [each new connection](database.md#a-password-that-changes).",
    neededBy: "a platform that writes passwords to files",
  }),
  DATABASE_PASSWORD_COMMAND: setting(z.string().optional(), {
    value: "command of the shell",
    ifUnset: "the password of `DATABASE_URL`",
    meaning: "Prints the password. It is run for [each new connection](database.md#a-password-that-changes).",
    neededBy: "databases that take short-lived tokens, such as IAM's",
  }),
  DATABASE_POOL_SIZE: setting(wholeNumber(1, 500).default(14), {
    value: "connections",
    meaning:
      "Largest number of connections of each replica. [Lanes](decisions/0021-fair-between-projects.md) share them, and each lane has at least one.",
    neededBy: "many replicas, or a small database: [sizing](sizing.md)",
  }),
  DATABASE_TIMEOUT_MS: setting(wholeNumber(100, 60_000).default(5000), {
    value: "milliseconds",
    meaning: "Time limit for one query. After it the request is answered with 503.",
    neededBy: "a slow database",
  }),
  DATABASE_PREPARED: setting(onOrOff.prefault("on"), {
    meaning: "`off`: the service sends no prepared statements.",
    neededBy: "a [pooler](poolers.md) that does not keep prepared statements, such as pgbouncer before 1.21",
  }),
} satisfies SettingGroup;

export const migration = {
  MIGRATE: setting(onOrOff.prefault("on"), {
    meaning:
      "`off`: the service does not migrate the database at start. It only checks that the schema is current.",
    neededBy: "installations that run [`stowage migrate`](upgrading.md) themselves",
  }),
  MIGRATION_DATABASE_URL: setting(databaseUrl.optional(), {
    value: "as `DATABASE_URL`",
    ifUnset: "`DATABASE_URL`",
    meaning: "The database as `stowage migrate` and the start reach it for migrations.",
    neededBy: "a [pooler](poolers.md), or a [database user of its own](database.md) for migrations",
  }),
} satisfies SettingGroup;
