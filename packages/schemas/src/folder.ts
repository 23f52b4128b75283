import * as z from "zod";
import { limits } from "./limits.js";
import { textField } from "./text-field.js";

/**
 * Creates the schema of the name of a folder: "" for the root, or segments joined by "/", in NFC. Each segment is checked alone, so that a
 * name costs no more time to normalise than its segments.
 *
 * @param name the field's name in requests, for error messages
 */
export function folderField(name: string) {
  const { folderDepth, folderSegmentLength } = limits;
  const segmentName = `a segment of ${name}`;
  const segment = textField(segmentName, { max: folderSegmentLength, normalize: "NFC" });
  return z
    .string({ error: `${name} must be a string` })
    .meta({ maxLength: folderDepth * (folderSegmentLength + 1) - 1 })
    .transform((text, context) => {
      const segments = text === "" ? [] : text.split("/");
      let problem =
        segments.length > folderDepth ? `${name} must have at most ${folderDepth} segments` : undefined;
      const normalized = segments.map((part) => {
        if (problem === undefined && ["", ".", ".."].includes(part))
          problem = `${segmentName} must not be empty, "." or ".."`;
        const parsed = problem === undefined ? segment.safeParse(part) : undefined;
        problem ??= parsed?.error?.issues[0]?.message;
        return parsed?.data;
      });
      if (problem === undefined) return normalized.join("/");
      context.issues.push({ code: "custom", message: problem, input: text });
      return z.NEVER;
    });
}

/** Of a file. */
export const folder = folderField("folder").describe(
  `Segments joined by "/": at most ${limits.folderDepth}, of at most ${limits.folderSegmentLength} characters each. "" is the root.`,
);
