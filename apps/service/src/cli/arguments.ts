import { limits, webhookEventTypes } from "@stowage/schemas";
import {
  createEndpointInput,
  type CreateEndpointInput,
  deliveryInput,
  redeliverSinceInput,
  webhookUrl,
} from "@stowage/operator-schemas";
import { InvalidArgumentError } from "commander";
import type * as z from "zod";

/*
 * Parsers for arguments and options. commander prints the message of an InvalidArgumentError.
 */

/** Parses a whole number of bytes. */
export function bytes(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("must be a whole number of bytes");
  return Number(text);
}

/** Parses bytes or `none`. */
export function bytesOrNone(text: string): number | "none" {
  if (text === "none") return text;
  if (!/^\d{1,15}$/.test(text)) {
    throw new InvalidArgumentError('must be a whole number of bytes, or "none" for the service\'s default');
  }
  return Number(text);
}

/** Parses a limit of files or uploads, or `none`. */
export function limitOrNone(text: string): number | "none" {
  if (text === "none") return text;
  if (!/^\d{1,10}$/.test(text) || Number(text) > limits.countLimit)
    throw new InvalidArgumentError(`must be a whole number from 0 to ${limits.countLimit}, or "none"`);
  return Number(text);
}

export function maxFileBytes(text: string): number {
  const size = bytes(text);
  if (size > limits.multipartFileSizeBytes) {
    throw new InvalidArgumentError(
      `must be at most ${limits.multipartFileSizeBytes}, the limit of S3 for one object`,
    );
  }
  return size;
}

export function onOff(text: string): boolean {
  if (text !== "on" && text !== "off") throw new InvalidArgumentError('must be "on" or "off"');
  return text === "on";
}

export function projectName(text: string): string {
  const name = text.trim();
  if (name === "") throw new InvalidArgumentError("must not be empty");
  if (/\p{Cc}/u.test(name)) throw new InvalidArgumentError("must not contain control characters");
  return name;
}

/** Parses the ref of a project: 128 bits in base62. */
export function ref(text: string): string {
  if (!/^[0-9A-Za-z]{22}$/.test(text)) throw new InvalidArgumentError("must be 22 letters and digits");
  return text;
}

/** Parses how many days a deleted file stays in the trash. */
export function trashDays(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > limits.maxTrashDays)
    throw new InvalidArgumentError(`must be a whole number of days from 0 to ${limits.maxTrashDays}`);
  return Number(text);
}

/** Parses how many versions are kept of a file. */
export function versionCount(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > limits.maxVersions)
    throw new InvalidArgumentError(`must be a whole number from 0 to ${limits.maxVersions}`);
  return Number(text);
}

export function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("must be a whole number from 1 to 999999");
  return Number(text);
}

export function seconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new InvalidArgumentError("must be a whole number of seconds from 1 to 99999");
  return Number(text);
}

/**
 * Parses an origin as browsers send it, such as `https://app.example.com`, or that of an app's own scheme, such as `app://bundle`. commander
 * passes the values of earlier options.
 */
export function origins(text: string, previous: string[] = []): string[] {
  const given = text.replace(/\/$/, "").toLowerCase();
  if (/^(null|file:)/.test(given)) {
    throw new InvalidArgumentError(
      "is the origin of every file, sandboxed frame and data: page, of all sites. Load the page from an address, or from a scheme of the app, and name that: in Electron --origin app://bundle, in Capacitor --origin capacitor://localhost (iOS) and --origin https://localhost (Android)",
    );
  }
  const { origin } = URL.canParse(given) ? new URL(given) : { origin: "" };
  // For an app's own scheme, the URL standard has no origin. Browsers send scheme and host.
  const isAppOrigin = origin === "null" && /^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(:\d+)?$/.test(given);
  if (!isAppOrigin && (origin !== given || !/^https?:/.test(given))) {
    throw new InvalidArgumentError(
      "must be an origin like https://app.example.com or app://bundle, without a path",
    );
  }
  return [...previous, given];
}

export function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError("must be an http or https URL");
  }
  return text;
}

/** Parses the URL of a webhook endpoint. */
export function endpointUrl(text: string): string {
  return parseWith(webhookUrl, text);
}

/** Parses event types such as `file.stored,file.deleted`, or `all`. */
export function eventTypes(text: string): CreateEndpointInput["events"] {
  if (text === "all") return [...webhookEventTypes];
  return parseWith(
    createEndpointInput.shape.events,
    text.split(",").map((type) => type.trim()),
  );
}

/** Parses the id of an event: a UUID, or a `webhook-id`, which has a prefix. */
export function eventId(text: string): string {
  return parseWith(deliveryInput.shape.eventId, text.replace(/^evt_/, ""));
}

/** Parses a time with its zone, such as `2026-01-31T12:00:00Z`. */
export function time(text: string): string {
  return parseWith(redeliverSinceInput.shape.since, text);
}

/** The message of the schemas begins with the name of the field, which commander shows already. */
function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new InvalidArgumentError(result.error.issues[0]?.message.replace(/^\w+ /, "") ?? "is invalid");
}
