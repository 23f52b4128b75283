import { customType } from "drizzle-orm/pg-core";

/** In the order of its UTF-8 bytes whatever the database's locale: the order in which storage lists its objects. */
export const objectKey = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
