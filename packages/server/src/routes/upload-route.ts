import type { Json, RouteTypes } from "@stowage/schemas";
import type { Accept, Size } from "@stowage/schemas/rules";
import type { StoredFile } from "../records.js";
import type { SchemaInput, SchemaOutput, StandardSchema } from "../standard-schema.js";

/** What a callback that runs before an upload sees. */
export interface BeforeUploadContext<Input = unknown> {
  /** The browser's call. Its body has been read already. */
  request: Request;
  /** Who is signed in, as `tenant` says. */
  tenantId: string;
  /** The route's own name. */
  route: string;
  /** As the browser describes the file. The size binds the upload, the name and the type are what it claims. */
  file: {
    filename: string;
    contentType: string | undefined;
    /** Bytes. */
    size: number | undefined;
  };
  /** What the page sent beside the file, as the route's `input` has read it. */
  input: Input;
}

/** What `onComplete` sees. */
export interface CompleteContext {
  /** The browser's call. Its body has been read already. */
  request: Request;
  /** Who is signed in, as `tenant` says, and who the file belongs to. */
  tenantId: string;
  /** The route that let the file in, as the server remembers it. */
  route: string;
  /** The file as the service has recorded it. */
  file: StoredFile;
}

/** The part of a route that comes before an upload. */
export interface UploadRules<Schema = unknown> {
  /** As in the `accept` attribute: `"image/*"`, `".pdf"`, or several. It judges what the browser says of the file. */
  accept?: Accept | undefined;
  /** Bytes, or a text such as `"4MB"` in steps of 1,024. Storage refuses any other length than the one judged. */
  maxSize?: Size | undefined;
  /** Bytes, or a text. */
  minSize?: Size | undefined;
  /** Files of one session of the widget. A hint to honest pages; what binds everybody is the tenant's quota. */
  maxFiles?: number | undefined;
  /** What the page may send beside the file: any Standard Schema, such as zod's or valibot's. */
  input?: (Schema & StandardSchema) | undefined;
  /**
   * Your own labels, kept with the file: at most 15, and 2 kB as JSON with the route's name. The browser never sees them.
   */
  metadata?:
    | ((
        context: BeforeUploadContext<SchemaOutput<Schema>>,
      ) => Record<string, string> | Promise<Record<string, string>>)
    | undefined;
  /** Runs before anything is recorded. Throw a `StowageError("upload_refused", { detail })` to say no. */
  onBeforeUpload?: ((context: BeforeUploadContext<SchemaOutput<Schema>>) => void | Promise<void>) | undefined;
}

/** The part of a route that comes after an upload. */
export interface UploadCompletion<Result = unknown> {
  /**
   * Runs once the service has seen the bytes, and before the page is told that the file is there. What it returns
   * reaches the page as JSON. It runs at least once for each file that the page calls done, and again whenever the page
   * repeats its call: key what you save by `file.filePath`.
   */
  onComplete?: ((context: CompleteContext) => Result) | undefined;
}

/** One kind of upload: what may come in, and what happens before and after. */
export type UploadRoute<Schema = unknown, Result = unknown> = UploadRules<Schema> & UploadCompletion<Result>;

/** Routes by name. Two mapped types, so that the compiler finds each route's schema and result from one literal. */
export type UploadRoutes<Schemas, Results> = {
  [Name in keyof Schemas]: UploadRules<Schemas[Name]>;
} & { [Name in keyof Results]: UploadCompletion<Results[Name]> };

/** What the page's types know of the routes. */
export type TypesOfRoutes<Schemas, Results> = {
  [Name in keyof Schemas & string]: {
    input: SchemaInput<Schemas[Name]>;
    result: Name extends keyof Results ? WrittenResult<Results[Name]> : undefined;
  };
} extends infer Routes extends Record<string, RouteTypes>
  ? Routes
  : never;

// A route without onComplete is inferred as unknown.
type WrittenResult<Result> = unknown extends Result ? undefined : Written<Awaited<Result>>;
type Written<Value> =
  Json<Exclude<Value, void>> | ([Extract<Value, void>] extends [never] ? never : undefined);
