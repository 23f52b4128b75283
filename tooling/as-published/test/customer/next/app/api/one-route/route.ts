// A typical mistake: without the folder [...action], Next answers the calls of the widget with its page for 404.
export { GET, OPTIONS, POST } from "../stowage/[...action]/route";
