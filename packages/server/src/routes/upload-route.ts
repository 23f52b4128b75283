import type { Json, RouteTypes, Visibility } from "@stowage/schemas";
import type { Accept, Size } from "@stowage/schemas/rules";
import type { CompletedFile } from "../service-api/records.js";
import type { SchemaInput, SchemaOutput, StandardSchema } from "./standard-schema.js";

/** The argument of `onBeforeUpload`, `metadata` and `replaces`. */
export interface BeforeUploadContext<Input = unknown> {
  /** The browser's request. Its body was already read. */
  request: Request;
  /** The signed-in user, as `tenant` returned it. */
  tenantId: string;
  /** The name of the route. */
  route: string;
  /** The browser's description of the file. Storage enforces the size. Name and type are not verified. */
  file: {
    filename: string;
    contentType: string | undefined;
    /** Bytes. */
    size: number | undefined;
  };
  /** The page's input for this file, validated by the route's `input` schema. */
  input: Input;
}

/** The argument of `onComplete`. */
export interface CompleteContext {
  /** The browser's request. Its body was already read. */
  request: Request;
  /** The signed-in user, as `tenant` returned it. The file belongs to this user. */
  tenantId: string;
  /** The name of the route that the file was uploaded by, as stored with the file. */
  route: string;
  /** The file as the service recorded it. */
  file: CompletedFile;
}

/** The members of a route that apply before an upload. */
export interface UploadRules<Schema = unknown> {
  /** Accepted types, as in the `accept` attribute: `"image/*"`, `".pdf"`, or several. Checks only the browser's description. */
  accept?: Accept | undefined;
  /** Bytes, or a text such as `"4MB"` (1 MB is 1,000,000 bytes). Storage refuses a body that is not as long as declared. */
  maxSize?: Size | undefined;
  /** Bytes, or a text such as `"1KB"`. */
  minSize?: Size | undefined;
  /**
   * Files of at least this size are uploaded by parts, if the client can: bytes, or a text such as `"64MB"`, at most `"5GiB"`.
   * `false` uploads every file with one PUT, which storage limits to 5 GiB. @default the helper's `multipartFrom`
   */
  multipartFrom?: Size | false | undefined;
  /** Files per session of the widget. The page counts them, so this is not enforced: use the tenant's quota for that. */
  maxFiles?: number | undefined;
  /** The service deletes the file this many seconds after the request: 60 to 315,360,000. @default never */
  expiresAfter?: number | undefined;
  /** The folder of the files, such as `"reports/2026"`. The page cannot choose another one. @default "", the root */
  folder?: string | undefined;
  /** The `Cache-Control` that storage sends with the file, such as `"public, max-age=31536000, immutable"`. @default none */
  cacheControl?: string | undefined;
  /**
   * Name of an image preset that every file must have a variant of. The page waits until the variant is made. A file that it cannot be
   * made of is deleted, and the page learns `image_unreadable`. `onComplete` runs only for the others. @default none
   */
  requireVariant?: string | undefined;
  /** `public`: everyone may read the files at their `publicUrl`. The service needs a public bucket for it. @default "private" */
  visibility?: Visibility | undefined;
  // Not `Schema & StandardSchema`: the compiler would compare every method of the library's class with the intersection, and fail at
  // methods that return another schema (zod 3), or end with "excessively deep" (arktype).
  /** Schema of the page's additional input for a file: any Standard Schema, such as one of zod or valibot. */
  input?: (Schema extends StandardSchema ? Schema : StandardSchema) | undefined;
  /**
   * Returns labels to store with the file: at most 15, and at most 2 kB as JSON with the route's name. The browser never sees them.
   */
  metadata?:
    | ((
        context: BeforeUploadContext<SchemaOutput<Schema>>,
      ) => Record<string, string> | Promise<Record<string, string>>)
    | undefined;
  /**
   * Returns the `filePath` of the user's stored file that this upload replaces, such as the current avatar; null for a new file. The old
   * file is deleted when the new one is stored. Not with `requireVariant`.
   */
  replaces?:
    | ((
        context: BeforeUploadContext<SchemaOutput<Schema>>,
      ) => string | null | undefined | Promise<string | null | undefined>)
    | undefined;
  /** Runs before anything is recorded. Throw `new StowageError("upload_refused", { detail })` to refuse the upload. */
  onBeforeUpload?: ((context: BeforeUploadContext<SchemaOutput<Schema>>) => void | Promise<void>) | undefined;
}

/** The members of a route that apply after an upload. */
export interface UploadCompletion<Result = unknown> {
  /**
   * Runs after the service has found the bytes and before the page learns that the file is stored. The page receives the result
   * as JSON. It runs at least once for each file that the page completes, and again when the page repeats its call: use
   * `file.filePath` as the key of what you save.
   */
  onComplete?: ((context: CompleteContext) => Result) | undefined;
}

/** One kind of upload: its limits, and the callbacks before and after it. */
export type UploadRoute<Schema = unknown, Result = unknown> = UploadRules<Schema> & UploadCompletion<Result>;

/** Routes by name. It takes two mapped types to infer both the schema and the result of each route from one literal. */
export type UploadRoutes<Schemas, Results> = {
  [Name in keyof Schemas]: UploadRules<Schemas[Name]>;
} & { [Name in keyof Results]: UploadCompletion<Results[Name]> };

/** The types of input and result of each route, for the page. */
export type TypesOfRoutes<Schemas, Results> = {
  [Name in keyof Schemas & string]: {
    input: SchemaInput<Schemas[Name]>;
    result: Name extends keyof Results ? WrittenResult<Results[Name]> : undefined;
  };
} extends infer Routes extends Record<string, RouteTypes>
  ? Routes
  : never;

// TypeScript infers unknown for a route without onComplete.
type WrittenResult<Result> = unknown extends Result ? undefined : Written<Awaited<Result>>;
type Written<Value> =
  Json<Exclude<Value, void>> | ([Extract<Value, void>] extends [never] ? never : undefined);
