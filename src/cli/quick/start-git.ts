// Run by the launcher before it reads `checkpoint now`, in a folder that holds a `.git`. Git takes the longest of all,
// so it works on another core while the command is loaded.
import { startWorkspaceOf } from "../../capture/look.ts";
import { findProject } from "../project.ts";
import { leaveBegun } from "./begun.ts";

/** Words after which it may be about another folder, or about nothing at all. */
const OTHER = /^(-C|--dir|-h$|--help$)/;

if (!process.argv.slice(3).some((word) => OTHER.test(word))) {
  try {
    const project = findProject({ cwd: process.cwd() });
    leaveBegun({ root: project.root, workspace: startWorkspaceOf(project, process.env) });
  } catch {
    // The command will find the same, and say so.
  }
}
