/**
 * Claims to steps and the right to move a run, as functions, so that a step costs few round trips and few syncs: one for the
 * claim, one for the commit of its outcome. The rest need not be synced, because a crash of the server loses only the end of
 * what it had not synced: the right to move a run expires, the queue and the time to wake are found again in the run, and a
 * settled outcome that comes back is ignored.
 *
 * Taking locks the row of the lease even if another holds it. So a report is seen by the holder when it leaves, or its
 * writer gets the lease: never neither.
 */
export const WORK_FUNCTIONS = `
  -- The head is compared again when the claim is there: an attempt that was settled before, whose claim is gone, is not
  -- started once more.
  CREATE FUNCTION @claim(
    p_run text, p_step text, p_attempt integer, p_worker text, p_seconds double precision, p_trail text, p_head text
  ) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    IF (SELECT encode(head, 'hex') FROM @trails WHERE name = p_trail) IS DISTINCT FROM p_head THEN RETURN 'moved'; END IF;
    IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    INSERT INTO @outcomes AS known(run, step, attempt, worker, expires)
      VALUES (p_run, p_step, p_attempt, p_worker, now() + make_interval(secs => p_seconds))
      ON CONFLICT (run, step, attempt) DO UPDATE SET expires = excluded.expires
        WHERE known.worker = excluded.worker AND known.outcome IS NULL;
    IF NOT FOUND THEN RETURN 'taken'; END IF;
    IF (SELECT encode(head, 'hex') FROM @trails WHERE name = p_trail) IS NOT DISTINCT FROM p_head THEN
      RETURN 'claimed';
    END IF;
    DELETE FROM @outcomes WHERE run = p_run AND step = p_step AND attempt = p_attempt;
    RETURN 'moved';
  END $$;

  CREATE FUNCTION @take_run(
    p_run text, p_trail text, p_holder text, p_seconds double precision,
    OUT taken boolean, OUT head text, OUT news text[]
  ) LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @leases AS held(run, epoch, holder, machine, expires)
      VALUES (p_run, 0, p_holder, '', now() + make_interval(secs => p_seconds))
      ON CONFLICT (run, epoch) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
        WHERE held.expires < now() OR held.holder = excluded.holder;
    taken := FOUND;
    IF NOT taken THEN RETURN; END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT encode(trails.head, 'hex') INTO head FROM @trails WHERE name = p_trail;
    SELECT coalesce(array_agg(outcome), '{}') INTO news FROM @outcomes WHERE run = p_run AND outcome IS NOT NULL;
  END $$;

  -- A report is synced unless its writer goes on to commit it. Without a holder nobody takes the run.
  CREATE FUNCTION @report(
    p_run text, p_step text, p_attempt integer, p_worker text, p_outcome text,
    p_trail text, p_holder text, p_seconds double precision,
    OUT heard boolean, OUT taken boolean, OUT head text, OUT news text[]
  ) LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @outcomes SET outcome = p_outcome, ended = now()
      WHERE run = p_run AND step = p_step AND attempt = p_attempt AND worker = p_worker
        AND (outcome IS NULL OR outcome = p_outcome);
    heard := FOUND;
    taken := false;
    IF p_holder IS NULL THEN RETURN; END IF;
    SELECT move.taken, move.head, move.news INTO taken, head, news
      FROM @take_run(p_run, p_trail, p_holder, p_seconds) AS move;
  END $$;

  -- Tells whether something came while others were kept out: news, or a commit of somebody who decided, resumed or cancelled.
  CREATE FUNCTION @leave_run(
    p_run text, p_trail text, p_holder text, p_head text,
    p_steps text[], p_attempts integer[], p_left text, p_wake double precision
  ) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    DELETE FROM @outcomes WHERE run = p_run
      AND (step, attempt) IN (SELECT * FROM unnest(p_steps, p_attempts));
    IF p_left <> 'moving' THEN
      -- A run that stands still is not looked at any more, unless a person has just set it going again.
      DELETE FROM @active_runs WHERE run = p_run
        AND (SELECT encode(head, 'hex') FROM @trails WHERE name = p_trail) IS NOT DISTINCT FROM p_head;
      IF FOUND AND p_left = 'standing' THEN
        INSERT INTO @standing_runs(run) VALUES (p_run) ON CONFLICT DO NOTHING;
      END IF;
    ELSE
      INSERT INTO @active_runs(run, wake_at) VALUES (p_run, now() + make_interval(secs => p_wake))
        ON CONFLICT (run) DO UPDATE SET wake_at = excluded.wake_at, looked_at = now();
    END IF;
    DELETE FROM @leases WHERE run = p_run AND epoch = 0 AND holder = p_holder;
    RETURN EXISTS (SELECT FROM @outcomes WHERE run = p_run AND outcome IS NOT NULL)
      OR (SELECT encode(head, 'hex') FROM @trails WHERE name = p_trail) IS DISTINCT FROM p_head;
  END $$;
`;
