import * as S3 from "@aws-sdk/client-s3";
import { BUCKET, refusalOf } from "./a-store.js";

/** An input that the official SDK has for an operation: a member, or `Delete.Objects.ETag` inside a document. */
export interface SdkInput {
  readonly path: string;
  /** Values that a client could give: at most 12 of an enumeration, or one of the member's type. */
  readonly samples: readonly unknown[];
}

/** Names of the operations that the SDK sends to the address of the store. */
export function sdkOperations(): string[] {
  return Object.keys(S3).flatMap((name) => {
    if (!name.endsWith("Command") || name === "$Command") return [];
    const operation = name.replace(/Command$/, "");
    const [, , , traits] = schemas[`${operation}$`] as unknown as [number, string, string, Traits];
    return traits.endpoint ? [] : [operation];
  });
}

/** Returns every input of an operation, also those inside its XML document. */
export function sdkInputs(operation: string): SdkInput[] {
  return inputsOf(schemas[`${operation}Request$`] as Structure, "", operation);
}

/** Sends an operation. @returns "ok", or the code of the error, or the status of an error without a body */
export async function sdkOutcome(client: S3.S3Client, operation: string, input: object): Promise<string> {
  const Command = schemas[`${operation}Command`] as unknown as new (input: object) => S3.HeadBucketCommand;
  const call = client.send(new Command(input));
  const status = call.then(
    (answer) => answer.$metadata.httpStatusCode,
    (error: { $metadata?: { httpStatusCode?: number } }) => error.$metadata?.httpStatusCode,
  );
  if ((await status) === 501) return "NotImplemented";
  const code = await refusalOf(call).catch(() => "ok");
  return code === "Unknown" ? String(await status) : code;
}

/** Returns a copy of `input` with a value at `path`. A list on the way gets its first item changed. */
export function withInput(input: object, path: string, value: unknown): object {
  const [name = "", ...rest] = path.split(".");
  const before = (input as Record<string, unknown>)[name];
  const change = (inner: unknown): unknown =>
    rest.length === 0 ? value : withInput((inner ?? {}) as object, rest.join("."), value);
  const isList = rest.length > 0 && (Array.isArray(before) || LISTS.has(name));
  const [first, ...others] = isList ? ((before ?? []) as unknown[]) : [];
  return { ...input, [name]: isList ? [change(first), ...others] : change(before) };
}

/** The required members of any operation, for requests that only ask whether it is offered. */
export const REQUIRED = {
  Bucket: BUCKET,
  Key: "k",
  UploadId: "1",
  PartNumber: 1,
  CopySource: `${BUCKET}/k`,
  Id: "1",
  RenameSource: `${BUCKET}/k`,
  ObjectAttributes: ["ETag"],
  AnnotationName: "a",
};

// The SDK describes its operations by exported arrays: [code, namespace, name, traits, ...].
type Traits = { endpoint?: unknown };
type Structure = [code: 3, namespace: string, name: string, traits: unknown, names: string[], types: Type[]];
type Named = readonly [code: number, namespace: string, name: string, traits: unknown, item: Type];
type Type = number | (() => Type) | Structure | Named | [type: Type, traits: unknown];
const schemas = S3 as unknown as Record<string, Type>;
const LISTS = new Set(["Objects", "Parts", "CORSRules", "Tags"]);

function inputsOf([, , , , names, types]: Structure, prefix: string, operation: string): SdkInput[] {
  return names.flatMap((name, i) => {
    const inner = structureOf(types[i]!);
    if (inner) return inputsOf(inner, `${prefix}${name}.`, operation);
    return [{ path: prefix + name, samples: enumerationOf(name, operation) ?? [sampleOf(types[i]!)] }];
  });
}

/** Resolves references and lists to a structure. */
function structureOf(type: Type): Structure | undefined {
  if (typeof type === "function") return structureOf(type());
  if (!Array.isArray(type)) return undefined;
  if (typeof type[1] !== "string") return structureOf((type as [Type, unknown])[0]);
  if (type[0] === 3) return type as Structure;
  return type[0] === 1 ? structureOf((type as unknown as Named)[4]) : undefined;
}

function enumerationOf(member: string, operation: string): readonly string[] | undefined {
  const names: Record<string, string> = {
    ACL: operation === "CreateBucket" ? "BucketCannedACL" : "ObjectCannedACL",
    LocationConstraint: "BucketLocationConstraint",
  };
  const found: unknown = schemas[names[member] ?? member];
  return typeof found === "object" && !Array.isArray(found)
    ? Object.values(found as object).slice(0, 12)
    : undefined;
}

function sampleOf(type: Type): unknown {
  if (typeof type === "function") return sampleOf(type());
  if (typeof type === "object") return sampleOf(type[0]);
  if (type >= 128) return { a: "1" };
  if (type >= 64) return ["1"];
  if (type >= 4 && type <= 7) return new Date(0);
  return type === 1 ? 1 : type === 2 ? true : "1";
}
