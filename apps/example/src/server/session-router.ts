import express, { Router } from "express";
import { isFirstVisit, sessionCookie, userOf, users } from "./session.js";

/** Returns the signed-in user, and switches between the demo users. A first visit signs the first demo user in. */
export function sessionRouter(): Router {
  const router = Router();
  router.get("/", (request, response) => {
    if (!isFirstVisit(request.headers.cookie))
      return void response.json({ user: userOf(request.headers.cookie), users });
    const user = users[0] ?? null;
    response.setHeader("Set-Cookie", sessionCookie(user));
    response.json({ user, users });
  });
  router.post("/", express.json({ limit: "1kb" }), (request, response) => {
    const userId: unknown = (request.body as { user?: unknown } | undefined)?.user;
    const user = users.find(({ id }) => id === userId) ?? null;
    if (userId !== null && !user) return void response.status(400).json({ detail: "There is no such user." });
    response.setHeader("Set-Cookie", sessionCookie(user));
    response.json({ user, users });
  });
  return router;
}
