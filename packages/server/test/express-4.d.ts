// Its own types clash with those of 5; what the tests use of it is the same.
declare module "express-4" {
  import express from "express";
  export default express;
}
