import { createHmac } from "node:crypto";
import { type RandomBytes, randomRef } from "#lib/random.js";
import type { DashboardAddress } from "./dashboard-address.js";
import { isSameHash } from "./one-time-token.js";

/** Browsers keep no cookie longer than 400 days: https://www.rfc-editor.org/rfc/rfc6265bis#section-5.5 */
const MAX_AGE_SECONDS = 400 * 24 * 3600;
const MAX_COOKIES = 100;

export interface DeviceCookies {
  /** Returns a complete value of `Set-Cookie`. The browser that gets it is a known device of the account. */
  issue(email: string): string;
  /** Returns the id of the browser if it is a known device of the account, otherwise null. */
  read(cookieHeader: string | null, email: string): string | null;
}

/**
 * Recognizes browsers in which an operator has signed in before. A known device has tries for passwords of its own, so guesses from
 * elsewhere do not delay the owner of the account. It gives no other right: the password is still required.
 *
 * This is the pattern "device cookies" of OWASP: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * The cookie is signed and not stored. A browser has one for each account, and its name does not reveal the e-mail address.
 *
 * @param secret replaces all cookies when it changes
 * @param dashboard with an https address, cookies are `Secure`
 */
export function createDeviceCookies(options: {
  secret: string;
  randomBytes: RandomBytes;
  dashboard: Pick<DashboardAddress, "url" | "basePath">;
}): DeviceCookies {
  const { secret, randomBytes, dashboard } = options;
  const hash = (...parts: string[]) =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["device cookie", ...parts]))
      .digest("base64url");
  const nameFor = (email: string) => `stowage.device.${hash("name", email.toLowerCase()).slice(0, 12)}`;
  const sign = (email: string, id: string) => hash("signature", email.toLowerCase(), id);
  return {
    issue(email) {
      const id = randomRef(randomBytes);
      const value = `${nameFor(email)}=${id}.${sign(email, id)}`;
      // Only the calls of the sign-in need it.
      const attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=${dashboard.basePath}/auth; HttpOnly; SameSite=Lax`;
      return `${value}; ${attributes}${dashboard.url().startsWith("https:") ? "; Secure" : ""}`;
    },
    read(cookieHeader, email) {
      const [id = "", signature = ""] = valueOf(cookieHeader, nameFor(email)).split(".");
      return isSameHash(signature, sign(email, id)) ? id : null;
    },
  };
}

/** Our cookies contain no character that needs an escape. */
function valueOf(cookieHeader: string | null, name: string): string {
  const pairs = (cookieHeader ?? "").split(";", MAX_COOKIES).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
