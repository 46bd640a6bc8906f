import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";

/** What PostgreSQL, the network or the driver reports, in our words. Never the URL, which may hold a password. */
export function explain(error: unknown, where: string, isConnecting = false): unknown {
  // Whatever a builder throws is its own.
  if (!(error instanceof Error && (isConnecting || "severity" in error || isConnectionLost(error))))
    return error;
  const code = (error as { code?: string }).code ?? "";
  const [kind, words, hint] = wordsOf(code, error);
  return new CheckpointError(kind, `The store ${where} cannot be used. ${words}`, {
    hint,
    details: { sqlState: code, ...(isConnectionLost(error) && { store: "unreachable" }) },
    cause: error,
  });
}

type Words = readonly [CheckpointError["code"], words: string, hint?: string];

function wordsOf(code: string, error: Error): Words {
  if (code.startsWith("28")) return ["refused", `PostgreSQL refused to log in: ${error.message}.`, LOGIN];
  if (code === "3D000") return ["not-found", "There is no such database.", "createdb"];
  if (code === "42501" || code === "25006")
    return ["refused", `Not permitted: ${error.message}.`, "checkpoint store migrate --role NAME"];
  if (code === "42P01" || code === "3F000" || code === "42883")
    return ["not-found", "Its tables are missing.", MIGRATE];
  if (code === "42P07" || code === "42723") return ["refused", "Its tables are of another version.", COPY];
  if (code === "54000") return ["usage", "A name, foreign id or record key is too long for an index."];
  if (code === "22021") return ["usage", "A name, foreign id or record key contains a NUL character."];
  if (isConnectionLost(error)) return ["failed", `PostgreSQL cannot be reached: ${error.message}.`, REACH];
  if ("severity" in error) return ["failed", `PostgreSQL reported: ${error.message}.`];
  if (error.message.startsWith("SASL")) return ["refused", "PostgreSQL asks for a password.", LOGIN];
  return ["refused", `The connection is not safe: ${error.message}.`, TLS];
}

const LOGIN = "Check the user and the password in the URL, or set PGPASSWORD.";
const REACH = "Check that PostgreSQL is running and that this machine may connect to it, then try again.";
const TLS = "For an authority of your own, add sslrootcert=FILE to the URL. To do without: --insecure";
const COPY = `With the version of Cairn that made it: checkpoint store copy shared local
Then, with this version and another schema: checkpoint store migrate && checkpoint store copy local shared`;
export const MIGRATE = "checkpoint store migrate";

/** What ends a connection though the statement was sound: shutdowns, restarts, too many connections, and the network. */
const LOST = /^(?:(?:08...|57P0[1-5]|53300)$|E(?:CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN)|ENOENT)/;
const LOST_WORDS =
  /Connection terminated|timeout (?:expired|exceeded)|Client has encountered a connection error/i;

/** Whether the answer was lost with the connection, so that what was asked for may have happened or not. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || isCheckpointError(error)) return false;
  const code = (error as { code?: string }).code ?? "";
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  return LOST.test(code) || LOST_WORDS.test(error.message);
}
