import express, { Router } from "express";
import { sessionCookie, userOf, users } from "./session.js";

/** Returns the signed-in user, and switches between the demo users. */
export function sessionRouter(): Router {
  const router = Router();
  router.get("/", (request, response) => {
    response.json({ user: userOf(request.headers.cookie), users });
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
