import { toHonoHandler } from "@stowage/server/hono";
import { Hono } from "hono";
import { makeStowage } from "../stowage/helper";

/** The backend, without the page. */
export const app = new Hono();

app.all("/api/stowage/*", toHonoHandler(makeStowage()));
