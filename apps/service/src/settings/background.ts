import * as z from "zod";
import { onOrOff, trueOrFalse } from "./parsers.js";
import { setting, type SettingGroup } from "./setting.js";

export const webhooks = {
  WEBHOOKS: setting(onOrOff.prefault("on"), {
    meaning:
      "`off`: this replica delivers no webhooks. Their events are still recorded, and are delivered by a replica that has it on.",
    neededBy: "replicas that may not call out",
  }),
  WEBHOOK_ALLOW_PRIVATE: setting(trueOrFalse.prefault("false"), {
    meaning: "`true`: webhooks may go to private addresses and over http. `npm start` sets it.",
    neededBy: "development, and receivers in your own network",
  }),
} satisfies SettingGroup;

export const images = {
  HEIC_VARIANTS: setting(onOrOff.prefault("on"), {
    meaning:
      "`off`: `stowage worker` makes no image variants of HEIC files, and does not load the decoder of HEVC.",
    neededBy: "operators that want no decoder with [patents](decisions/0057-heic.md)",
  }),
  PDF_VARIANTS: setting(onOrOff.prefault("on"), {
    meaning: "`off`: `stowage worker` makes no image variants of PDFs, and does not load their renderer.",
    neededBy: "operators that want no renderer of documents",
  }),
  FFMPEG_PATH: setting(z.string().startsWith("/", { error: "must be an absolute path" }).optional(), {
    value: "path of `ffmpeg`, such as `/usr/bin/ffmpeg`",
    ifUnset: "videos have no variants",
    meaning:
      "The FFmpeg with which `stowage worker` makes [pictures of videos](serving.md#videos). Give it to the service too, so that the dashboard asks for them.",
    neededBy: "posters of videos",
  }),
} satisfies SettingGroup;

export const scans = {
  CLAMAV_URL: setting(
    z
      .string()
      .regex(/^(tcp:\/\/[^/\s]+:\d{1,5}|unix:\/.+)$/, { error: "must be tcp://host:port or unix:/path" })
      .optional(),
    {
      value: "`tcp://host:port` or `unix:/path/to/socket`",
      ifUnset: "no scans",
      meaning:
        "The clamd that scans files for `stowage worker`. Without it, a worker only makes image variants.",
      neededBy: "[virus scanning](scanning.md)",
    },
  ),
} satisfies SettingGroup;
