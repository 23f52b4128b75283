// The types of Express 4 and Express 5 conflict. The tests use only what both have in common.
declare module "express-4" {
  import express from "express";
  export default express;
}
