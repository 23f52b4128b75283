import type { SignIn } from "./sign-in.js";

/** A sign-in whose library is not loaded before somebody needs it: it is a quarter of what the service would load at its start. */
export function lazySignIn(load: () => Promise<SignIn>): SignIn {
  return {
    handle: async (request) => (await load()).handle(request),
    findSession: async (headers) => (await load()).findSession(headers),
    hashPassword: async (password) => (await load()).hashPassword(password),
  };
}
