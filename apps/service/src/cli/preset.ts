import { savePresetInput } from "@stowage/operator-schemas";
import { Command } from "commander";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { deletePreset, listPresets, type PresetRecord, savePreset } from "#images/manage-presets.js";
import { findProjectByRef } from "#projects/find-project.js";
import { onOff } from "./arguments.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage preset …` */
export function presetCommand(env: Environment): Command {
  return new Command("preset")
    .description("manage the presets of image variants of a project")
    .addCommand(savePresetCommand(env))
    .addCommand(listPresetsCommand(env))
    .addCommand(deletePresetCommand(env));
}

const createPresetCommand = (name: string, description: string) =>
  createCommandOfProject(name, description, "preset");

interface SaveOptions extends ProjectOptions {
  width?: number;
  height?: number;
  fit?: string;
  format?: string;
  quality?: number;
  eager?: boolean;
  animated?: boolean;
}

function savePresetCommand(env: Environment): Command {
  return createPresetCommand("set", "create a preset, or replace the one of this name")
    .argument("<name>")
    .option("--width <pixels>", "width of the variants", Number)
    .option("--height <pixels>", "height of the variants", Number)
    .option("--fit <fit>", "inside shows the whole image, cover fills the size (default: inside)")
    .option("--format <format>", "auto, webp, avif or jpeg (default: auto)")
    .option("--quality <number>", "1 to 100 (default: 80)", Number)
    .option("--eager <on|off>", "make variants as soon as a file is stored (default: off)", onOff)
    .option("--animated <on|off>", "keep animations, as WebP (default: off)", onOff)
    .action(async (name: string, { project, json, ...options }: SaveOptions) => {
      const parsed = savePresetInput.safeParse({ name, ...options });
      if (!parsed.success) throw new ConfigError(`${parsed.error.issues[0]!.message}.`);
      const preset = await withDatabase(env, async (deps) =>
        savePreset(deps, await actorOf(deps, project), parsed.data),
      );
      if (json) return printJson(preset);
      console.log(`The preset ${preset.name} was saved.`);
    });
}

function listPresetsCommand(env: Environment): Command {
  return createPresetCommand("list", "list the presets of a project").action(
    async ({ project, json }: ProjectOptions) => {
      const presets = await withDatabase(env, async (deps) =>
        listPresets(deps, await findProjectByRef(deps, project)),
      );
      if (json) return printJson(presets);
      printTable(["PRESET", "SIZE", "FIT", "FORMAT", "QUALITY", "EAGER", "ANIMATED"], presets.map(toCells));
    },
  );
}

function deletePresetCommand(env: Environment): Command {
  return createPresetCommand("delete", "delete a preset; its variants are removed")
    .argument("<name>")
    .action(async (name: string, { project, json }: ProjectOptions) => {
      await withDatabase(env, async (deps) => deletePreset(deps, await actorOf(deps, project), { name }));
      if (json) return printJson({ name, deleted: true });
      console.log(`The preset ${name} was deleted.`);
    });
}

function toCells({ name, width, height, fit, format, quality, ...preset }: PresetRecord): string[] {
  const { eager, animated } = preset;
  const size = `${width ?? "auto"} × ${height ?? "auto"}`;
  return [name, size, fit, format, String(quality), eager ? "on" : "off", animated ? "on" : "off"];
}
