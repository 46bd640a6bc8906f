/** The number of a lock of a store; `@` stands for its schema. */
const lock = (number: number) => `hashtextextended('@', ${number})`;

/** Shared by commits; sweeps and removals hold it alone. */
const STORE_LOCK = lock(0);
/** For one sweep or migration at a time. */
export const UPKEEP_LOCK = lock(1);
export const LOG_LOCK = lock(2);

/**
 * Waits for the store's lock, and makes sure that what is committed is synced. Refuses transactions that keep seeing what was there
 * when they began: behind a lock they would not see the revocation that they waited for. Written out where a call would take too long.
 */
export const enter = (isAlone: string) => `
    IF current_setting('transaction_isolation') <> 'read committed' THEN RAISE 'default_transaction_isolation must be "read committed"'; END IF;
    IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
    IF ${isAlone} THEN PERFORM pg_advisory_xact_lock(${STORE_LOCK});
    ELSE PERFORM pg_advisory_xact_lock_shared(${STORE_LOCK}); END IF;`;

/**
 * What must happen behind locks, as functions in the schema, so that a commit is one round trip. `@` stands for the schema. Locks are
 * always taken in this order: the store's (shared by commits, alone for sweep and remove), the log's (shared by those that append to
 * their trail's chain, alone for the store's own), the trail's row, objects sorted by id.
 */
export const FUNCTIONS = `
  CREATE FUNCTION @enter(p_alone boolean) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN ${enter("p_alone")} END $$;

  -- Holds a trail still until the transaction ends, and makes it if it is new. The caller has entered.
  CREATE FUNCTION @lock_trail(p_trail text) RETURNS @trails LANGUAGE plpgsql AS $$
  DECLARE t @trails;
  BEGIN
    SELECT * INTO t FROM @trails WHERE name = p_trail FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO @trails(name) VALUES (p_trail) ON CONFLICT (name) DO NOTHING;
      SELECT * INTO t FROM @trails WHERE name = p_trail FOR UPDATE;
    END IF;
    RETURN t;
  END $$;

  -- Entries after a place that the caller has not seen, each with the last one before it in its chain. A function for its plan, which
  -- takes longer to make than the newest entries to read.
  CREATE FUNCTION @read_log(p_place bigint, p_chain text, p_number bigint, p_seen json, p_limit bigint) RETURNS TABLE (
    number float8, text text, hash text, after float8, trail text, last float8, last_hash text
  ) LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN QUERY SELECT l.number::float8, l.entry::text, l.hash, l.place::float8, l.chain, b.number::float8, b.hash
      FROM @log AS l LEFT JOIN LATERAL (
        SELECT o.number, o.hash FROM @log AS o WHERE o.chain = l.chain AND o.number < l.number ORDER BY o.number DESC LIMIT 1
      ) AS b ON true
      WHERE (l.place, l.chain, l.number) > (p_place, p_chain, p_number) AND l.number > coalesce((p_seen ->> l.chain)::bigint, 0)
      ORDER BY l.place, l.chain, l.number LIMIT p_limit;
  END $$;

  -- Where a trail forked: at this parent, or, if that was removed, at the nearest ancestor that was not.
  CREATE FUNCTION @note_fork(p_trail int, p_parent bytea) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH RECURSIVE above AS (
      SELECT p_parent AS id UNION SELECT t.parent FROM above JOIN @tombstones AS t ON t.id = above.id
    ) INSERT INTO @forks(trail, parent) SELECT DISTINCT p_trail, above.id FROM above JOIN @checkpoints AS c ON c.id = above.id
      WHERE NOT EXISTS (SELECT 1 FROM @checkpoints AS own WHERE own.id = above.id AND own.trail = p_trail)
      ON CONFLICT DO NOTHING;
  END $$;

  -- Moves what is in one trail into another, numbered as if it were committed now. Runs alone.
  CREATE FUNCTION @adopt(p_from text, p_to int) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE v_source int;
  BEGIN
    SELECT id INTO v_source FROM @trails WHERE name = p_from AND id <> p_to FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM @checkpoints AS theirs WHERE trail = v_source
      AND EXISTS (SELECT 1 FROM @checkpoints AS own WHERE own.trail = p_to AND own.id = theirs.id);
    UPDATE @checkpoints SET foreign_id = NULL WHERE trail = v_source
      AND foreign_id IN (SELECT foreign_id FROM @checkpoints WHERE trail = p_to);
    UPDATE @checkpoints SET trail = p_to, sequence = numbered.next FROM (
      SELECT sequence AS old, nextval('@commits') AS next
      FROM (SELECT sequence FROM @checkpoints WHERE trail = v_source ORDER BY sequence) AS ordered
    ) AS numbered WHERE trail = v_source AND sequence = numbered.old;
    INSERT INTO @forks(trail, parent) SELECT p_to, parent FROM @forks WHERE trail = v_source ON CONFLICT DO NOTHING;
    DELETE FROM @forks WHERE trail = v_source;
    DELETE FROM @records WHERE waits_in = v_source;
    DELETE FROM @trails WHERE id = v_source;
  END $$;

  -- Covers what a record belongs to, its key and its value.
  CREATE FUNCTION @record_hash(p_checkpoint bytea, p_key text, p_value bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT substring(sha256(p_checkpoint || sha256(convert_to(p_key, 'UTF8')) || p_value) FROM 1 FOR 16)
  $$;

  -- No object begins with a line feed, so this is no object's id.
  CREATE FUNCTION @waiting_for(p_trail text, p_foreign_id text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(convert_to(E'\\n' || p_trail || E'\\n' || p_foreign_id, 'UTF8'))
  $$;

  CREATE FUNCTION @write_records(p_checkpoint bytea, p_waits_in int, p_keys text[], p_values bytea[], p_if_absent boolean)
  RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @records(checkpoint, key, hash, value, waits_in)
      SELECT p_checkpoint, key, @record_hash(p_checkpoint, key, value), value, p_waits_in
      FROM unnest(p_keys, p_values) AS given(key, value) WHERE value IS NOT NULL ORDER BY key COLLATE "C"
      ON CONFLICT (checkpoint, key) DO UPDATE SET hash = excluded.hash, value = excluded.value WHERE NOT p_if_absent;
    IF p_if_absent THEN RETURN; END IF;
    DELETE FROM @records WHERE checkpoint = p_checkpoint
      AND key IN (SELECT key FROM unnest(p_keys, p_values) AS given(key, value) WHERE value IS NULL);
  END $$;

  CREATE FUNCTION @attach(p_checkpoint bytea, p_trail text, p_foreign_id text, p_keys text[], p_values bytea[], p_if_absent boolean)
  RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    t @trails;
    v_checkpoint bytea := p_checkpoint;
    v_waits_in int;
  BEGIN
    PERFORM @enter(false);
    IF p_checkpoint IS NULL THEN
      t := @lock_trail(p_trail);
      SELECT id INTO v_checkpoint FROM @checkpoints WHERE trail = t.id AND foreign_id = p_foreign_id;
      IF NOT FOUND THEN
        IF t.removed THEN RETURN 'removed'; END IF;
        v_checkpoint := @waiting_for(p_trail, p_foreign_id);
        v_waits_in := t.id;
      END IF;
    ELSIF NOT EXISTS (SELECT 1 FROM @checkpoints WHERE id = p_checkpoint) THEN
      RETURN 'unknown';
    END IF;
    PERFORM @write_records(v_checkpoint, v_waits_in, p_keys, p_values, p_if_absent);
    RETURN 'attached';
  END $$;

  -- What a sweep counts from: every object below and every commit up to these numbers is there, because nobody else is inside.
  CREATE FUNCTION @boundary(OUT number bigint, OUT sequence bigint) LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @enter(true);
    SELECT (b.last_value + 1) << 20, c.last_value INTO number, sequence FROM @births AS b, @commits AS c;
  END $$;

  -- The objects that were there before a sweep began, the youngest first: nothing refers to what comes before it.
  CREATE FUNCTION @objects_before(p_number bigint) RETURNS TABLE(id bytea, base bigint, number bigint) LANGUAGE sql STABLE AS $$
    SELECT objects.id, objects.base, objects.number FROM @objects AS objects
    WHERE objects.number < p_number ORDER BY objects.number DESC
  $$;
`;
