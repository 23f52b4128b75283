import { customType } from "drizzle-orm/pg-core";

/** Text that sorts by its UTF-8 bytes, independent of the database's locale: the order in which storage lists objects. */
export const objectKey = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
