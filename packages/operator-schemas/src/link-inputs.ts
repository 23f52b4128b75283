import { createLinkRequest, revokeLinkRequest } from "@stowage/schemas";
import * as z from "zod";
import { cursor } from "./fields.js";

/*
 * Inputs of the calls about share links. Their rules are those of the REST API.
 */

const { file_path, expires_after, max_downloads, password, disposition } = createLinkRequest.in.shape;

export const linksListInput = z.object({ filePath: file_path, cursor });

export const createLinkInput = z.object({
  filePath: file_path,
  expiresAfter: expires_after,
  maxDownloads: max_downloads,
  password,
  disposition,
});

export const revokeLinkInput = z.object({ linkId: revokeLinkRequest.in.shape.link_id });
