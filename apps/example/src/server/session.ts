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
  const value = cookieHeader
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  return users.find((user) => user.id === value) ?? null;
}

/** Returns the Set-Cookie header that signs the user in. Null signs out. */
export function sessionCookie(user: User | null): string {
  const attributes = "Path=/; HttpOnly; SameSite=Lax";
  return user ? `${COOKIE}=${user.id}; ${attributes}` : `${COOKIE}=; Max-Age=0; ${attributes}`;
}
