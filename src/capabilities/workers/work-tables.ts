/**
 * What runs need on a server beside their trails. The trail of a run says what is so; these rows only say who works on it, and
 * carry what is on its way there. Every time is the server's: the clocks of machines differ.
 */
export const WORK_TABLES = `
  CREATE TABLE @leases(
    run text COLLATE "C" NOT NULL, epoch integer NOT NULL, holder text NOT NULL, machine text NOT NULL,
    expires timestamptz NOT NULL, PRIMARY KEY (run, epoch)
  );
  CREATE TABLE @active_runs(
    run text COLLATE "C" PRIMARY KEY, wake_at timestamptz, looked_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX active_runs_by_wake ON @active_runs(wake_at);
  -- Runs that failed or were paused: nothing moves them, but they are not over.
  CREATE TABLE @standing_runs(run text COLLATE "C" PRIMARY KEY);
  CREATE TABLE @outcomes(
    run text COLLATE "C" NOT NULL, step text COLLATE "C" NOT NULL, attempt integer NOT NULL, worker text NOT NULL,
    expires timestamptz NOT NULL, outcome text, ended timestamptz, PRIMARY KEY (run, step, attempt)
  );
  CREATE TABLE @attempt_logs(
    run text COLLATE "C" NOT NULL, step text COLLATE "C" NOT NULL, attempt integer NOT NULL, tail text NOT NULL,
    printed bigint NOT NULL, ended boolean NOT NULL, PRIMARY KEY (run, step, attempt)
  );
  CREATE TABLE @blobs(
    sha256 bytea NOT NULL, part integer NOT NULL, data bytea NOT NULL, since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (sha256, part)
  );
  ALTER TABLE @blobs ALTER data SET STORAGE EXTERNAL;
  CREATE TABLE @workers(
    id text PRIMARY KEY, host text NOT NULL, pid integer NOT NULL, queues text[] NOT NULL, slots integer NOT NULL,
    running integer NOT NULL, since timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL, note text
  );
`;
