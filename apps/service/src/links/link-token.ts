import { hashToken } from "#auth/one-time-token.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import type { Project } from "#projects/find-project.js";

/**
 * Creates the token of a share link: the ref of its project, which every presigned URL has too, and 128 random bits. With the ref the link
 * is looked for where Citus has the rows of its project.
 */
export function createLinkToken(project: Project, randomBytes: RandomBytes): string {
  return project.ref + randomRef(randomBytes);
}

/** @returns the ref of the project that the token names, and the hash of the token; null for a text of another form */
export function readLinkToken(token: string): { projectRef: string; tokenHash: string } | null {
  const [, projectRef] = /^([0-9A-Za-z]{22})[0-9A-Za-z]{22}$/.exec(token) ?? [];
  return projectRef === undefined ? null : { projectRef, tokenHash: hashToken(token) };
}
