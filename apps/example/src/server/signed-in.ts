import { StowageError } from "@stowage/server";
import type { Request, Response } from "express";
import { userOf, type User } from "./session.js";

/**
 * Does the work for whoever is signed in; answers 401 to nobody, and 503 with `problem` when the service is out of reach.
 */
export function forUser(
  problem: string,
  work: (user: User, request: Request, response: Response) => Promise<void>,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const user = userOf(request.headers.cookie);
    if (!user) return void response.status(401).json({ detail: "Not signed in" });
    try {
      await work(user, request, response);
    } catch (error) {
      const isMissing = error instanceof StowageError && error.code === "file_not_found";
      response.status(isMissing ? 404 : 503).json({ detail: isMissing ? error.message : problem });
    }
  };
}
