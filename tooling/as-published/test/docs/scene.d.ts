/*
 * What a reader of the examples has already: their own session and database.
 */
declare function readSession(cookie: string | null): Promise<{ userId: string } | undefined>;
declare function sessionOf(request: Request): Promise<{ userId: string } | undefined>;
