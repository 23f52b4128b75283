/*
 * A stand-in for your own sign-in. Its cookie is not signed, so do not copy this file. Only the server reads the cookie and decides
 * who the user is.
 */

export interface User {
  id: string;
  name: string;
}

export const users: readonly User[] = [
  { id: "user_ada", name: "Ada Lovelace" },
  { id: "user_grace", name: "Grace Hopper" },
];

const COOKIE = "example_user";

/** Returns the signed-in user, or null. */
export function userOf(cookieHeader: string | null | undefined): User | null {
  const id = cookieValue(cookieHeader);
  return users.find((user) => user.id === id) ?? null;
}

/** Tells a first visit from the visit of a person who has signed out: only a person who has signed out has the cookie. */
export function isFirstVisit(cookieHeader: string | undefined): boolean {
  return cookieValue(cookieHeader) === undefined;
}

function cookieValue(cookieHeader: string | null | undefined): string | undefined {
  return cookieHeader
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
}

/** Returns the Set-Cookie header that signs the user in. Null signs out, and leaves an empty cookie. */
export function sessionCookie(user: User | null): string {
  return `${COOKIE}=${user?.id ?? ""}; Path=/; HttpOnly; SameSite=Lax`;
}
