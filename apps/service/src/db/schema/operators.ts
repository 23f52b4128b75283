import { bigint, boolean, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/*
 * People who sign in to the dashboard, and what signing in needs. Columns are those of better-auth's models (see
 * docs/decisions/0010), under our names.
 */

const times = {
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
};

export const operators = pgTable("operators", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** In lower case. */
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
  /** Of the whole installation: sees projects that nobody owns, such as those made by the command line. */
  isAdmin: boolean("is_admin").notNull().default(false),
  ...times,
});

const operatorId = () =>
  text("operator_id")
    .notNull()
    .references(() => operators.id, { onDelete: "cascade" });

export const operatorSessions = pgTable(
  "operator_sessions",
  {
    id: text("id").primaryKey(),
    token: text("token").notNull().unique(),
    operatorId: operatorId(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    ...times,
  },
  (table) => [index("operator_sessions_of").on(table.operatorId)],
);

/** One per operator: the password, as scrypt made it. The other columns are better-auth's, for providers that we have none of. */
export const operatorAccounts = pgTable(
  "operator_accounts",
  {
    id: text("id").primaryKey(),
    operatorId: operatorId(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    password: text("password"),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: timestamp("access_token_expires_at", { withTimezone: true }),
    refreshTokenExpiresAt: timestamp("refresh_token_expires_at", { withTimezone: true }),
    scope: text("scope"),
    ...times,
  },
  (table) => [index("operator_accounts_of").on(table.operatorId)],
);

/** What waits for an answer, such as the second factor of a sign-in. */
export const operatorVerifications = pgTable(
  "operator_verifications",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    ...times,
  },
  (table) => [index("operator_verifications_by_identifier").on(table.identifier)],
);

/** The secret of an operator's authenticator app, encrypted with the installation's secret. */
export const operatorTwoFactors = pgTable(
  "operator_two_factors",
  {
    id: text("id").primaryKey(),
    operatorId: operatorId(),
    secret: text("secret").notNull(),
    backupCodes: text("backup_codes").notNull(),
    verified: boolean("verified").default(true),
    failedVerificationCount: integer("failed_verification_count").default(0),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
  },
  (table) => [index("operator_two_factors_of").on(table.operatorId)],
);

/** Tries to sign in, by address and call: in the database, so that replicas count together. */
export const operatorRateLimits = pgTable("operator_rate_limits", {
  id: text("id").primaryKey(),
  key: text("key").notNull().unique(),
  count: integer("count").notNull(),
  lastRequest: bigint("last_request", { mode: "number" }).notNull(),
});
