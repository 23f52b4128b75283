/*
 * Code to copy. Tests compile and run it. It reads the API key from the environment and never contains it.
 */

/** An upload in three calls. It has no comments because zsh does not accept them at the prompt by default. */
export function curlSnippet(serviceUrl: string): string {
  return `printf 'hello\\n' > hello.txt
curl -sS ${serviceUrl}/api/storage/upload/ \\
  -H "Authorization: Bearer $STOWAGE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"tenant_id":"user_42","filename":"hello.txt","size":6}' \\
  > upload.json
value_of() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/" upload.json; }

curl -sS -T hello.txt -H 'Content-Type: text/plain' \\
  "$(value_of presigned_url)"

curl -sS ${serviceUrl}/api/storage/complete/ \\
  -H "Authorization: Bearer $STOWAGE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"file_path\\":\\"$(value_of file_path)\\"}"`;
}

export const frameworks = ["Express", "Next.js", "Fastify", "Hono"] as const;
export type Framework = (typeof frameworks)[number];

const packages: Record<Framework, string> = {
  Express: "@stowage/server express",
  "Next.js": "@stowage/server",
  Fastify: "@stowage/server fastify",
  Hono: "@stowage/server hono",
};

export function installHelperSnippet(framework: Framework): string {
  return `npm install ${packages[framework]}`;
}

/** Code that mounts the helper at `/api/stowage`. It runs as it is, until the customer replaces `userIdOf`. */
export function helperSnippet(framework: Framework, serviceUrl: string): string {
  return helpers[framework](serviceUrl);
}

const options = (serviceUrl: string) => `{
  apiKey: process.env.STOWAGE_API_KEY,
  baseUrl: "${serviceUrl}",
  tenant: (request) => userIdOf(request.headers.get("cookie")),
}`;

const userIdOf = `/** Replace it by your sign-in: the ID of the user whose session this cookie names, or null. */
async function userIdOf(cookie: string | null): Promise<string | null> {
  // For a first try, all visitors are the same user. In production this signs no user in.
  return process.env.NODE_ENV === "production" ? null : "user_42";
}`;

const helpers: Record<Framework, (serviceUrl: string) => string> = {
  Express: (serviceUrl) => `import { createStowage } from "@stowage/server";
import { toExpressHandler } from "@stowage/server/express";
import express from "express";

const stowage = createStowage(${options(serviceUrl)});

express().use("/api/stowage", toExpressHandler(stowage)).listen(3000);

${userIdOf}`,

  "Next.js": (serviceUrl) => `// app/api/stowage/[...action]/route.ts
import { createStowage } from "@stowage/server";
import { toNextHandlers } from "@stowage/server/next";

const makeStowage = () => createStowage(${options(serviceUrl)});

export const { GET, POST, OPTIONS } = toNextHandlers(makeStowage);

${userIdOf}`,

  Fastify: (serviceUrl) => `import { createStowage } from "@stowage/server";
import { toFastifyPlugin } from "@stowage/server/fastify";
import fastify from "fastify";

const stowage = createStowage(${options(serviceUrl)});

const app = fastify();
app.register(toFastifyPlugin(stowage), { prefix: "/api/stowage" });
await app.listen({ port: 3000 });

${userIdOf}`,

  Hono: (serviceUrl) => `import { createStowage } from "@stowage/server";
import { toHonoHandler } from "@stowage/server/hono";
import { Hono } from "hono";

const stowage = createStowage(${options(serviceUrl)});

const app = new Hono();
app.all("/api/stowage/*", toHonoHandler(stowage));

export default app;

${userIdOf}`,
};

export const installWidgetSnippet = "npm install @stowage/react";

export const widgetSnippet = `"use client";

import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";

export function Documents() {
  return (
    <UploadDropzone
      endpoint="/api/stowage"
      onUploaded={(file) => console.log(file.file_path, file.size)}
    />
  );
}`;
