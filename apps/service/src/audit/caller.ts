/** A person who is signed in. */
export interface Operator {
  id: string;
  name: string;
  email: string;
  /** Of the whole installation. */
  isAdmin: boolean;
  twoFactorEnabled: boolean;
}

/** From where a call came, as far as can be told. */
export interface From {
  ipAddress: string;
  userAgent: string;
}

/** Who is doing something, and from where. */
export interface Caller {
  operator: Pick<Operator, "id" | "email">;
  from: From;
}
