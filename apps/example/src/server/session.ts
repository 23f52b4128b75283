/*
 * Stands in for the customer's own sign-in. A real one signs its cookie; everything else here is as in a real app: the
 * browser holds a cookie that it cannot read, and only the server says whose it is.
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

/** Who is signed in, by the Cookie header; null for nobody. */
export function userOf(cookieHeader: string | null | undefined): User | null {
  const value = cookieHeader
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  return users.find((user) => user.id === value) ?? null;
}

/** The Set-Cookie header that signs this user in, or, for null, whoever it is out. */
export function sessionCookie(user: User | null): string {
  const attributes = "Path=/; HttpOnly; SameSite=Lax";
  return user ? `${COOKIE}=${user.id}; ${attributes}` : `${COOKIE}=; Max-Age=0; ${attributes}`;
}
