import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/*
 * The operators, who sign in to the dashboard, and the tables that signing in needs. The columns are those of better-auth's
 * models under our own names (see docs/decisions/0010).
 */

const times = {
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
};

/** The people who sign in to the dashboard. */
export const operators = pgTable("operators", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** In lower case. */
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
  /** Administers the whole installation: also sees projects without an owner, such as those created on the command line. */
  isAdmin: boolean("is_admin").notNull().default(false),
  /** Whether an admin granted this operator the right to create projects (PROJECT_CREATION). Admins have the right without it. */
  hasProjectGrant: boolean("may_create_projects").notNull().default(false),
  /** Whether this operator may sign in with a password although PASSWORD_SIGN_IN is off. Only the command line sets it. */
  mayUsePassword: boolean("may_use_password").notNull().default(false),
  ...times,
});

const operatorId = () =>
  text("operator_id")
    .notNull()
    .references(() => operators.id, { onDelete: "cascade" });

/** The sessions of operators. */
export const operatorSessions = pgTable(
  "operator_sessions",
  {
    id: text("id").primaryKey(),
    token: text("token").notNull().unique(),
    operatorId: operatorId(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    /** `password` or `oidc`: how the operator has signed in. */
    signedInBy: text("signed_in_by").notNull().default("password"),
    /** Whether the OpenID Connect provider has checked a second factor. */
    providerSecondFactor: boolean("provider_second_factor").notNull().default(false),
    /** The session ends at this time, although the library extends it while it is used. Null: only `expiresAt` counts. */
    endsAt: timestamp("ends_at", { withTimezone: true }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    ...times,
  },
  (table) => [index("operator_sessions_of").on(table.operatorId)],
);

/**
 * How operators sign in. `provider_id` is `credential` for a password, hashed with scrypt, and `oidc` for a connection with an account
 * of the OpenID Connect provider. No token of the provider is stored: the columns for tokens belong to better-auth and stay empty.
 */
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
  (table) => [
    index("operator_accounts_of").on(table.operatorId),
    // An account of the provider belongs to one operator at most.
    uniqueIndex("operator_accounts_by_provider").on(table.providerId, table.accountId),
  ],
);

/** Pending verifications, such as the second factor of a sign-in. */
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
    /** The time step of the last accepted code, in units of 30 s since 1970. No code of this step or an earlier one is accepted. */
    lastUsedStep: bigint("last_used_step", { mode: "number" }),
  },
  (table) => [index("operator_two_factors_of").on(table.operatorId)],
);

/** Attempts to sign in, by IP address and endpoint. They are in the database so that all replicas count together. */
export const operatorRateLimits = pgTable("operator_rate_limits", {
  id: text("id").primaryKey(),
  key: text("key").notNull().unique(),
  count: integer("count").notNull(),
  lastRequest: bigint("last_request", { mode: "number" }).notNull(),
});

/** Tries that are left for passwords of one account, for each kind of device: see auth/password-budget.ts. At most 2^20 rows. */
export const passwordBudgets = pgTable("password_budgets", {
  /** A keyed hash of the account and the device, 20 bits. */
  bucket: integer("bucket").primaryKey(),
  /** When all tries are back, if no further one is used. */
  fullAt: timestamp("full_at", { withTimezone: true }).notNull(),
});
