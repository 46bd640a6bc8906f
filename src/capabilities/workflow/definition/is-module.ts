import { extname } from "node:path";

/** Whether a workflow's file is a program: loading it runs it. */
export const isModule = (file: string): boolean => /^\.[cm]?[jt]s$/.test(extname(file));
