import type { ErrorStatus } from "@stowage/schemas";

/** Errors that only calls of the dashboard answer, in addition to those of `errorCatalogue`. */
export const dashboardErrors = {
  signed_out: { status: 401, detail: "Sign in first" },
  wrong_credentials: { status: 401, detail: "The e-mail address or the password is wrong" },
  password_sign_in_off: {
    status: 403,
    detail: "Passwords are switched off here: use the other way to sign in",
  },
  oidc_unreachable: {
    status: 503,
    detail: "The sign-in service of your organization does not answer: try again in a few minutes",
  },
  only_way_to_sign_in: {
    status: 409,
    detail: "This account has no other way to sign in",
  },
  wrong_password: { status: 400, detail: "The password is wrong" },
  wrong_code: { status: 401, detail: "The code is wrong or was used before" },
  two_factor_missing: { status: 403, detail: "Set up two-step sign-in first" },
  two_factor_required: { status: 403, detail: "Two-step sign-in is required and cannot be turned off" },
  role_too_low: { status: 403, detail: "Your role in this project does not allow this" },
  admins_only: { status: 403, detail: "Only administrators may do this" },
  project_creation_refused: {
    status: 403,
    detail: "You may not create projects: ask an administrator of this service for the right",
  },
  setup_refused: { status: 403, detail: "The set-up link is no longer valid" },
  reset_refused: { status: 403, detail: "The link is no longer valid: request a new one" },
  invitation_refused: { status: 404, detail: "The invitation is no longer valid" },
  name_mismatch: { status: 400, detail: "This is not the name of the project" },
  sign_in_to_accept: {
    status: 409,
    detail: "This address already has an account: sign in, then open the link again",
  },
  other_account: {
    status: 409,
    detail: "The invitation is for another address: sign out, then open the link again",
  },
  already_member: { status: 409, detail: "This person is already a member" },
  last_owner: { status: 409, detail: "A project needs at least one owner" },
} as const satisfies Record<string, { status: ErrorStatus; detail: string }>;

export type DashboardErrorCode = keyof typeof dashboardErrors;

/** An expected failure of a call of the dashboard. It is like `StowageError`, with the codes of `dashboardErrors`. */
export class DashboardError extends Error {
  override readonly name = "DashboardError";
  readonly code: DashboardErrorCode;
  readonly status: ErrorStatus;

  constructor(code: DashboardErrorCode, options: { detail?: string; cause?: unknown } = {}) {
    super(options.detail ?? dashboardErrors[code].detail, { cause: options.cause });
    this.code = code;
    this.status = dashboardErrors[code].status;
  }
}
