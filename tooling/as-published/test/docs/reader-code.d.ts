/*
 * Functions of a reader's own application that the examples use.
 */
declare function readSession(cookie: string | null): Promise<{ userId: string } | undefined>;
declare function sessionOf(request: Request): Promise<{ userId: string } | undefined>;
