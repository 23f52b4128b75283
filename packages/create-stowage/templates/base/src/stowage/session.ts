/**
 * Says whose files a request is about. Replace it by your own sign-in: a signed cookie, or a session in your database.
 *
 * @returns the ID of the signed-in user, or null. With null, Stowage answers 401.
 */
export async function userIdOf(_cookie: string | null): Promise<string | null> {
  // While you develop, every visitor is the same user. Everywhere else, this signs no one in.
  return process.env.NODE_ENV === "development" ? "user_42" : null;
}
