import type { RequestHandler } from "@sveltejs/kit";
import { makeStowage } from "../../../../stowage/helper";

// Made by the first request: the build loads this file without the key.
let stowage: ReturnType<typeof makeStowage> | undefined;

const answer: RequestHandler = ({ request }) => (stowage ??= makeStowage()).handler(request);

export { answer as GET, answer as POST, answer as OPTIONS };
