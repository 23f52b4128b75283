// The types of Express 4 conflict with those of Express 5. The tests use only what both have in common.
declare module "express-4" {
  import express from "express";
  export default express;
}
