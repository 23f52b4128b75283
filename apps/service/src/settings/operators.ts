import { projectCreationPolicies } from "@stowage/operator-schemas";
import * as z from "zod";
import { isOwnPath } from "#http/base-path.js";
import { builtDashboardDir, builtDocsDir } from "../paths.js";
import { baseUrl, httpUrl, onOrOff, wholeNumber } from "./parsers.js";
import { setting, type SettingGroup } from "./setting.js";

export const dashboard = {
  DASHBOARD_URL: setting(
    baseUrl
      .transform((url) => new URL(url).href.replace(/\/+$/, ""))
      .refine((url) => /^(\/[\w.~-]+)*$/.test(pathOf(url)), {
        error: "may have a path only of letters, digits, '-', '.', '_', '~' and single slashes",
        abort: true,
      })
      .refine((url) => !isOwnPath(pathOf(url)), {
        error: "must not have a path that the service needs itself, such as /docs",
      })
      .optional(),
    {
      value: "URL",
      ifUnset: "`localhost` and 127.0.0.1 with `PORT`",
      meaning:
        "Where browsers reach the [dashboard](dashboard.md), such as `https://storage.example.com`, or [below a path](proxies.md#below-a-path) such as `https://tools.example.com/stowage`. Other origins are refused.",
      neededBy: "everyone in production",
    },
  ),
  DASHBOARD_DIR: setting(z.string().default(builtDashboardDir), {
    value: "folder, or `none`",
    ifUnset: "the dashboard that was built with the service",
    meaning: "The built dashboard. `none`: the service serves no dashboard.",
    neededBy: "services without a dashboard",
  }),
  DOCS_SITE_DIR: setting(z.string().default(builtDocsDir), {
    value: "folder, or `none`",
    ifUnset: "the site that was built with the service",
    meaning: "The built documentation site. `none`: `/docs` serves only Markdown.",
    neededBy: "services without the documentation",
  }),
  HSTS_MAX_AGE_SECONDS: setting(wholeNumber(0, 100_000_000).default(31_536_000), {
    value: "seconds",
    meaning:
      "How long browsers remember to call this host only over [https](dashboard.md#https), once they have called it over https. 0: they forget it.",
    neededBy: "hosts that must stay reachable over http",
  }),
  PROJECT_CREATION: setting(
    z.enum(projectCreationPolicies, { error: "must be admins, granted or everyone" }).default("granted"),
    {
      meaning:
        "Who may [create projects](dashboard.md#projects-and-api-keys) in the dashboard. `granted`: admins, and the operators to whom an admin granted it.",
      neededBy: "installations with many operators",
    },
  ),
} satisfies SettingGroup;

export const signIn = {
  SIGN_IN_SECRET: setting(z.string().min(32, { error: "must be at least 32 characters" }).optional(), {
    value: "secret, 32 characters or more",
    ifUnset: "the service creates one and stores it in the database",
    meaning:
      "Signs session cookies and encrypts the secrets of authenticator apps and webhooks. The same on all replicas. [How to change it](keys.md).",
    neededBy: "installations that keep this secret out of database backups",
  }),
  REQUIRE_TWO_FACTOR: setting(onOrOff.prefault("off"), {
    meaning:
      "`on`: an operator without [two-step sign-in](dashboard.md#required-two-step-sign-in) must set it up before anything else, and cannot turn it off.",
    neededBy: "installations that require a second factor",
  }),
  PASSWORD_SIGN_IN: setting(onOrOff.prefault("on"), {
    meaning:
      "`off`: [passwords are refused](oidc.md#without-passwords), except those of operators to whom `stowage operator set` gave an exception. Needs `OIDC_ISSUER`.",
    neededBy: "sign-in by a provider only",
  }),
  OIDC_ISSUER: setting(
    httpUrl
      .refine(isHttpsOrLoopback, { error: "must be an https URL" })
      .refine((url) => !/[?#]/.test(url), { error: "must have no query" })
      .optional(),
    {
      value: "https URL",
      ifUnset: "operators sign in with passwords only",
      meaning: "The issuer of the [OpenID Connect](oidc.md) provider that signs operators in.",
      neededBy: "sign-in by your organization's provider",
    },
  ),
  OIDC_CLIENT_ID: setting(z.string().optional(), {
    value: "ID",
    ifUnset: "required with `OIDC_ISSUER`, as is `DASHBOARD_URL`",
    meaning: "The client that the provider knows this installation by.",
    neededBy: "`OIDC_ISSUER`",
  }),
  OIDC_CLIENT_SECRET: setting(z.string().optional(), {
    value: "secret",
    ifUnset: "required with `OIDC_ISSUER`",
    meaning: "The secret of this client.",
    neededBy: "`OIDC_ISSUER`",
  }),
  OIDC_SCOPES: setting(
    z
      .string()
      .transform((list) => list.split(/\s+/).filter((scope) => scope !== ""))
      .refine((scopes) => scopes.includes("openid"), { error: "must contain openid" })
      .prefault("openid email profile"),
    {
      value: "scopes, separated by spaces",
      meaning: "What the service asks the provider for.",
      neededBy: "providers with other scopes",
    },
  ),
  OIDC_NAME: setting(z.string().trim().max(40, { error: "must have at most 40 characters" }).optional(), {
    value: "text, up to 40 characters",
    ifUnset: "the host of `OIDC_ISSUER`",
    meaning: "The provider's name on the sign-in page: “Continue with …”.",
    neededBy: "`OIDC_ISSUER`",
  }),
  OIDC_SECOND_FACTOR: setting(
    z.enum(["claim", "provider"], { error: "must be claim or provider" }).default("claim"),
    {
      meaning:
        "`claim`: the ID token's claim `amr` must contain `mfa` to count as a [second factor](oidc.md#second-factor). `provider`: each sign-in by the provider counts.",
      neededBy: "providers that do not send `amr`",
    },
  ),
  OIDC_VERIFIED_EMAIL: setting(
    z.enum(["claim", "provider"], { error: "must be claim or provider" }).default("claim"),
    {
      meaning:
        "`claim`: an e-mail address needs the claim `email_verified`. `provider`: an address without this claim counts as verified.",
      neededBy: "providers that do not send `email_verified`",
    },
  ),
  OIDC_CONNECT_BY_EMAIL: setting(onOrOff.prefault("off"), {
    meaning: "`on`: a verified e-mail address connects an existing account without its password.",
    neededBy: "providers that your organization runs",
  }),
  OIDC_SESSION_HOURS: setting(wholeNumber(1, 168).default(12), {
    value: "hours",
    meaning: "After this time, an operator who came by the provider signs in again.",
    neededBy: "organizations that require shorter or longer sessions",
  }),
} satisfies SettingGroup;

/** The path of an address without a slash at its end. Empty: there is none. */
const pathOf = (url: string): string => new URL(url).pathname.replace(/^\/$/, "");

/** Plain http is only for a provider on this machine. */
function isHttpsOrLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
