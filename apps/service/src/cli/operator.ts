import { snakeKeys } from "@stowage/schemas";
import { Command } from "commander";
import { endAllSessions, endSessionsOfOperator } from "#auth/end-sessions.js";
import {
  listOperators,
  removeTwoFactor,
  setPasswordException,
  setProjectGrantByEmail,
} from "#auth/operators.js";
import { offerPasswordReset } from "#auth/password-reset.js";
import { offerSetup } from "#auth/setup.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { onOff } from "./arguments.js";
import { type CommonOptions, createCommand, withDashboardLinks, withDatabase } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage operator …` */
export function operatorCommand(env: Environment): Command {
  return new Command("operator")
    .description("manage the operators who sign in to the dashboard")
    .addCommand(setupLinkCommand(env))
    .addCommand(listOperatorsCommand(env))
    .addCommand(setCommand(env))
    .addCommand(resetPasswordCommand(env))
    .addCommand(removeTwoFactorCommand(env))
    .addCommand(endSessionsCommand(env));
}

function setupLinkCommand(env: Environment): Command {
  return createCommand("setup-link", "print a link that creates the first operator").action(
    async (options: CommonOptions) => {
      const offer = await withDashboardLinks(env, offerSetup);
      if (offer === null) {
        throw new ConfigError("There is an operator already. Operators invite others in the dashboard.");
      }
      if (options.json) return printJson(snakeKeys(offer));
      console.log(`Set-up of the first operator, valid once within 24 hours: ${offer.url}`);
    },
  );
}

function listOperatorsCommand(env: Environment): Command {
  return createCommand("list", "list all operators").action(async (options: CommonOptions) => {
    const operators = await withDatabase(env, listOperators);
    if (options.json) return printJson(operators.map((operator) => snakeKeys(operator)));
    printTable(
      ["E-MAIL", "ADMIN", "CREATE-PROJECTS", "TWO-FACTOR", "NAME"],
      operators.map(({ email, isAdmin, hasProjectGrant, twoFactorEnabled, name }) => [
        email,
        isAdmin ? "yes" : "no",
        hasProjectGrant ? "on" : "off",
        twoFactorEnabled ? "on" : "off",
        name,
      ]),
    );
  });
}

interface SetOptions extends CommonOptions {
  createProjects?: boolean;
  passwordException?: boolean;
}

function setCommand(env: Environment): Command {
  return createCommand("set", "change the rights of an operator")
    .argument("<email>")
    .option("--create-projects <on|off>", "the grant to create projects in the dashboard", onOff)
    .option(
      "--password-exception <on|off>",
      "sign-in with a password although PASSWORD_SIGN_IN is off",
      onOff,
    )
    .action(async (email: string, { createProjects, passwordException, json }: SetOptions) => {
      if (createProjects === undefined && passwordException === undefined) {
        throw new ConfigError("Give --create-projects or --password-exception.");
      }
      const operator = await withDatabase(env, async (deps) => {
        const changes = [
          createProjects !== undefined && (() => setProjectGrantByEmail(deps, email, createProjects)),
          passwordException !== undefined && (() => setPasswordException(deps, email, passwordException)),
        ];
        let changed = { email };
        for (const change of changes) if (change) changed = await change();
        return changed;
      });
      if (json) {
        return printJson({
          ...operator,
          ...(createProjects !== undefined && { has_project_grant: createProjects }),
          ...(passwordException !== undefined && { has_password_exception: passwordException }),
        });
      }
      if (createProjects !== undefined) {
        console.log(
          createProjects
            ? `${operator.email} may create projects, unless PROJECT_CREATION is admins.`
            : `${operator.email} has no grant to create projects.`,
        );
      }
      if (passwordException !== undefined) {
        console.log(
          passwordException
            ? `${operator.email} may sign in with a password, also while PASSWORD_SIGN_IN is off.`
            : `${operator.email} may not sign in with a password while PASSWORD_SIGN_IN is off.`,
        );
      }
    });
}

function resetPasswordCommand(env: Environment): Command {
  return createCommand("reset-password", "print a one-time link to set a new password")
    .argument("<email>")
    .action(async (email: string, options: CommonOptions) => {
      const offer = await withDashboardLinks(env, (deps) => offerPasswordReset(deps, email));
      if (options.json) return printJson({ email: offer.email, url: offer.url, expires_at: offer.expiresAt });
      console.log(`Password reset for ${offer.email}, valid once within 24 hours: ${offer.url}`);
    });
}

function removeTwoFactorCommand(env: Environment): Command {
  return createCommand("remove-two-factor", "remove the second factor of an operator who lost it")
    .argument("<email>")
    .action(async (email: string, options: CommonOptions) => {
      const operator = await withDatabase(env, (deps) => removeTwoFactor(deps, email));
      if (options.json) return printJson(operator);
      console.log(`Removed the second factor of ${operator.email} and ended all sessions.`);
    });
}

function endSessionsCommand(env: Environment): Command {
  return createCommand("end-sessions", "sign an operator, or all of them, out of all browsers")
    .argument("[email]")
    .option("--all", "every operator, for example after a restore of the database")
    .action(async (email: string | undefined, { all, ...options }: CommonOptions & { all?: true }) => {
      if ((email === undefined) !== (all ?? false)) throw new ConfigError("Name an operator, or use --all.");
      if (email === undefined) {
        const { count } = await withDatabase(env, endAllSessions);
        if (options.json) return printJson({ count });
        return console.log(`Ended ${count} ${count === 1 ? "session" : "sessions"} of all operators.`);
      }
      const ended = await withDatabase(env, (deps) => endSessionsOfOperator(deps, email));
      if (options.json) return printJson(ended);
      console.log(`Ended ${ended.count} ${ended.count === 1 ? "session" : "sessions"} of ${ended.email}.`);
    });
}
