import type { ErrorStatus } from "../errors.js";

/** Errors of the dashboard's calls alone. They also answer the codes of `errorCatalogue`. */
export const dashboardErrors = {
  signed_out: { status: 401, detail: "Sign in first" },
  wrong_credentials: { status: 401, detail: "E-mail address or password is not right" },
  wrong_password: { status: 400, detail: "The password is not right" },
  wrong_code: { status: 401, detail: "The code is not right" },
  role_too_low: { status: 403, detail: "Your role in this project does not allow this" },
  setup_refused: { status: 403, detail: "The set-up link is not valid any more" },
  reset_refused: { status: 403, detail: "The link is not valid any more: ask for another one" },
  invitation_refused: { status: 404, detail: "The invitation is not valid any more" },
  name_mismatch: { status: 400, detail: "The name is not the project's" },
  sign_in_to_accept: {
    status: 409,
    detail: "This address has an account already: sign in, and open the link again",
  },
  other_account: {
    status: 409,
    detail: "The invitation is for another address: sign out, and open the link again",
  },
  already_member: { status: 409, detail: "This person is a member already" },
  last_owner: { status: 409, detail: "A project keeps at least one owner" },
} as const satisfies Record<string, { status: ErrorStatus; detail: string }>;

export type DashboardErrorCode = keyof typeof dashboardErrors;

/** An expected failure of a call of the dashboard, with a code of `dashboardErrors`. Like `StowageError`. */
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
