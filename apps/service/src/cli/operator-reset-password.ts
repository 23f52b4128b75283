import type { Command } from "commander";
import type { Environment } from "#config.js";
import { offerPasswordReset } from "#auth/offer-password-reset.js";
import { type CommonOptions, operatorCommand, withOperators } from "./operate.js";
import { printJson } from "./print.js";

/** `stowage operator reset-password <email>` */
export function operatorResetPasswordCommand(env: Environment): Command {
  return operatorCommand("reset-password", "make a link by which somebody chooses another password, once")
    .argument("<email>")
    .action(async (email: string, options: CommonOptions) => {
      const offer = await withOperators(env, (deps) => offerPasswordReset(deps, email));
      if (options.json) return printJson({ email: offer.email, url: offer.url, expires_at: offer.expiresAt });
      console.log(`For ${offer.email}, once, within a day: ${offer.url}`);
    });
}
