import { StowageError } from "@stowage/server";
import type { Request, Response } from "express";
import { userOf, type User } from "./session.js";

/**
 * Wraps a request handler that needs a signed-in user. Answers 401 without a user, 404 if the file does not exist, and 503 with
 * `failureDetail` if the handler fails for another reason.
 */
export function withUser(
  failureDetail: string,
  handle: (user: User, request: Request, response: Response) => Promise<void>,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const user = userOf(request.headers.cookie);
    if (!user) return void response.status(401).json({ detail: "Sign in first." });
    try {
      await handle(user, request, response);
    } catch (error) {
      const isMissing = error instanceof StowageError && error.code === "file_not_found";
      response.status(isMissing ? 404 : 503).json({ detail: isMissing ? error.message : failureDetail });
    }
  };
}
