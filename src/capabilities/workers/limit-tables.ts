/**
 * Which runs of workflows with a limit are under way, by the server's clock. An admission is written before the commit that
 * starts the run's first step, so it is synced with that: after a crash of the server no run is under way that has none.
 */
export const LIMIT_TABLES = `
  CREATE TABLE @admissions(
    run text COLLATE "C" PRIMARY KEY, key text COLLATE "C" NOT NULL, state text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
    CHECK (state IN ('waiting', 'admitted', 'over'))
  );
  CREATE INDEX admissions_by_key ON @admissions(key, state, at);

  -- Null when the run may go on; else after how many seconds it may ask again.
  CREATE FUNCTION @admit(p_run text, p_key text, p_at_once integer, p_starts integer, p_seconds double precision)
  RETURNS double precision LANGUAGE plpgsql AS $$
  DECLARE v_free_at timestamptz;
  BEGIN
    IF EXISTS (SELECT FROM @admissions WHERE run = p_run AND state = 'admitted') THEN RETURN NULL; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('@' || p_key, 3));
    INSERT INTO @admissions AS known(run, key, state) VALUES (p_run, p_key, 'waiting')
      ON CONFLICT (run) DO UPDATE SET key = excluded.key, state = 'waiting', at = now() WHERE known.state = 'over';
    IF (SELECT count(*) FROM @admissions WHERE key = p_key AND state = 'admitted') >= p_at_once THEN RETURN 60; END IF;
    IF p_starts IS NOT NULL THEN
      SELECT at + make_interval(secs => p_seconds) INTO v_free_at FROM @admissions
        WHERE key = p_key AND state <> 'waiting' ORDER BY at DESC OFFSET p_starts - 1 LIMIT 1;
      IF v_free_at > now() THEN RETURN extract(epoch FROM v_free_at - now()); END IF;
    END IF;
    UPDATE @admissions SET state = 'admitted', at = now() WHERE run = p_run;
    RETURN NULL;
  END $$;

  -- Lets the run that has waited longest go on, and names it.
  CREATE FUNCTION @release(p_run text) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE v_key text; v_next text;
  BEGIN
    -- One that only waited has started nothing, so it does not count among those that did.
    DELETE FROM @admissions WHERE run = p_run AND state = 'waiting';
    UPDATE @admissions SET state = 'over' WHERE run = p_run AND state = 'admitted' RETURNING key INTO v_key;
    SELECT run INTO v_next FROM @admissions WHERE key = v_key AND state = 'waiting' ORDER BY at LIMIT 1;
    UPDATE @active_runs SET wake_at = now() WHERE run = v_next;
    RETURN v_next;
  END $$;
`;
