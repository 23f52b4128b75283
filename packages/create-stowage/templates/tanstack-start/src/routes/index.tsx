import { createFileRoute } from "@tanstack/react-router";
import { Documents } from "../stowage/documents";

export const Route = createFileRoute("/")({ component: Documents });
