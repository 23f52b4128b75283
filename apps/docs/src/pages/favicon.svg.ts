import type { APIRoute } from "astro";
import { readText } from "../content/repository.js";

/** The icon of the dashboard, because both are served by the same host. */
export const GET: APIRoute = () => new Response(readText("apps/dashboard/public/favicon.svg"));
