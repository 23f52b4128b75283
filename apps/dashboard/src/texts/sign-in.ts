export const signIn = {
  title: "Sign in",
  email: "E-mail address",
  password: "Password",
} as const;
