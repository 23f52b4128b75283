import { toExpressHandler } from "@stowage/server/express";
import express from "express";
import { makeStowage } from "../stowage/helper";

/** The backend, without the page. */
export const app = express();

app.use("/api/stowage", toExpressHandler(makeStowage()));
