/**
 * The common interface of zod, valibot, arktype and other schema libraries, as far as the helper uses it.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Exists only for type inference. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** The type that a page sends; undefined without a schema. */
export type SchemaInput<Schema> = Schema extends StandardSchema
  ? NonNullable<Schema["~standard"]["types"]>["input"]
  : undefined;

/** The type that callbacks receive after validation; undefined without a schema. */
export type SchemaOutput<Schema> = Schema extends StandardSchema
  ? NonNullable<Schema["~standard"]["types"]>["output"]
  : undefined;
