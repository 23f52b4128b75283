import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { signIn } from "../../texts/sign-in.js";

export function ToSignIn() {
  return (
    <Button renderRoot={(props) => <Link to="/sign-in" {...props} />} variant="default">
      {signIn.toSignIn}
    </Button>
  );
}
