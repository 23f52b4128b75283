import express, { Router } from "express";
import { sessionCookie, userOf, users } from "./session.js";

/** Who is signed in, and the switch between the demo users. */
export function sessionRouter(): Router {
  const router = Router();
  router.get("/", (request, response) => {
    response.json({ user: userOf(request.headers.cookie), users });
  });
  router.post("/", express.json({ limit: "1kb" }), (request, response) => {
    const wanted: unknown = (request.body as { user?: unknown } | undefined)?.user;
    const user = users.find(({ id }) => id === wanted) ?? null;
    if (wanted !== null && !user) return void response.status(400).json({ detail: "No such user" });
    response.setHeader("Set-Cookie", sessionCookie(user));
    response.json({ user, users });
  });
  return router;
}
