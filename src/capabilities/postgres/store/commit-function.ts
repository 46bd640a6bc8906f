import { enter, LOG_LOCK } from "./functions.ts";

/**
 * The whole of a commit behind its locks, in one call. It writes nothing unless everything holds, and tells the outcome
 * instead of raising an error, which PostgreSQL would log: `taken`, or why it was refused and the id of what was found instead.
 * No parameter has a default, which PostgreSQL would read anew for every commit.
 */
export const COMMIT = `
  CREATE FUNCTION @commit(
    p_trail text, p_waits boolean, p_id bytea, p_parent bytea, p_created double precision, p_moves boolean, p_from bytea,
    p_needed bytea[], p_ids bytea[], p_bases bytea[], p_data bytea[], p_foreign_id text, p_keys text[],
    p_values bytea[], p_revives boolean, p_adopts text, p_log json[], p_log_after bigint
  ) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    t @trails;
    v_parent bytea := p_parent;
    v_missing bytea;
    v_born bigint;
    v_inserted bigint;
    v_chain text; v_number bigint; v_hash text; v_entry json;
  BEGIN
    ${enter("p_adopts IS NOT NULL")}
    IF p_log_after IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock_shared(${LOG_LOCK});
      SELECT max(number) INTO v_number FROM @log WHERE chain = '';
      IF v_number IS DISTINCT FROM p_log_after THEN RETURN 'moved'; END IF;
    ELSIF p_log IS NOT NULL THEN PERFORM pg_advisory_xact_lock(${LOG_LOCK});
    END IF;
    SELECT * INTO t FROM @trails WHERE name = p_trail FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      -- Another commit holds the trail. A caller that can build its change again does not wait for it: the head will have moved.
      IF NOT p_waits THEN RETURN 'moved'; END IF;
      t := @lock_trail(p_trail);
    END IF;
    IF t.removed AND p_revives IS NOT TRUE THEN RETURN 'removed'; END IF;
    IF p_moves AND t.head IS DISTINCT FROM p_from THEN RETURN concat('moved ', encode(t.head, 'hex')); END IF;
    IF p_foreign_id IS NOT NULL THEN
      PERFORM FROM @checkpoints WHERE trail = t.id AND foreign_id = p_foreign_id AND id <> p_id
        UNION ALL SELECT FROM @checkpoints WHERE id = p_id AND trail = t.id AND foreign_id <> p_foreign_id;
      IF FOUND THEN RETURN 'foreign'; END IF;
    END IF;
    SELECT needed INTO v_missing FROM unnest(p_needed) AS needed
      WHERE NOT EXISTS (SELECT 1 FROM @objects WHERE id = needed) LIMIT 1;
    IF FOUND THEN RETURN 'missing ' || encode(v_missing, 'hex'); END IF;

    -- New objects get numbers above those of everything they refer to: a sweep deletes the highest numbers first, and so never leaves an
    -- object whose parts are gone. What they refer to was looked up just now; only an object that another commit stored at the same
    -- time can have a higher number, and then these get new ones.
    v_born := nextval('@births');
    INSERT INTO @objects(number, base, id, data)
      SELECT (v_born << 20) + place, (SELECT number FROM @objects AS o WHERE o.id = brought.base), id, data
      FROM unnest(p_ids, p_bases, p_data) WITH ORDINALITY AS brought(id, base, data, place) ORDER BY id
      ON CONFLICT (id) DO NOTHING;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;
    IF v_inserted < cardinality(p_ids) AND EXISTS (SELECT 1 FROM @objects WHERE id = ANY (p_ids) AND number >> 20 > v_born) THEN
      UPDATE @objects SET number = number + (((SELECT nextval('@births')) - v_born) << 20)
        WHERE id = ANY (p_ids) AND number >> 20 = v_born;
    END IF;
    IF p_adopts IS NOT NULL THEN PERFORM @adopt(p_adopts, t.id); END IF;
    IF p_parent IS DISTINCT FROM t.head THEN
      -- A parent that this store never had, as after an import, is named in the checkpoint itself, not in the index.
      v_parent := CASE WHEN EXISTS (SELECT 1 FROM @checkpoints WHERE id = p_parent)
        OR EXISTS (SELECT 1 FROM @tombstones WHERE id = p_parent) THEN p_parent END;
      IF v_parent IS DISTINCT FROM t.head THEN PERFORM @note_fork(t.id, v_parent); END IF;
    END IF;
    INSERT INTO @checkpoints(sequence, created, trail, id, parent, foreign_id)
      VALUES (nextval('@commits'), p_created, t.id, p_id, v_parent, p_foreign_id) ON CONFLICT (id, trail) DO NOTHING;
    IF p_foreign_id IS NOT NULL THEN
      UPDATE @checkpoints SET foreign_id = p_foreign_id WHERE id = p_id AND trail = t.id AND foreign_id IS NULL;
      PERFORM @write_records(p_id, NULL, array_agg(key), array_agg(value), false) FROM @records
        WHERE checkpoint = @waiting_for(p_trail, p_foreign_id) HAVING count(*) > 0;
      DELETE FROM @records WHERE checkpoint = @waiting_for(p_trail, p_foreign_id);
    END IF;
    DELETE FROM @tombstones WHERE id = p_id;
    UPDATE @trails SET head = CASE WHEN p_moves THEN p_id ELSE head END, removed = false
      WHERE id = t.id AND (p_moves OR removed);
    IF p_keys IS NOT NULL THEN PERFORM @write_records(p_id, NULL, p_keys, p_values, false); END IF;
    IF p_log IS NOT NULL THEN
      -- A hash covers the one before it in its chain, in a trail's chain also the place, and the entry.
      v_chain := CASE WHEN p_log_after IS NULL THEN '' ELSE p_trail END;
      SELECT number, hash INTO v_number, v_hash FROM @log WHERE chain = v_chain ORDER BY number DESC LIMIT 1;
      IF NOT FOUND THEN
        SELECT 0, concat(convert_from(value, 'UTF8'), ' ' || nullif(v_chain, '')) INTO v_number, v_hash FROM @meta WHERE key = 'store_id';
      END IF;
      FOREACH v_entry IN ARRAY p_log LOOP
        v_number := v_number + 1;
        v_hash := encode(sha256(convert_to(concat(v_hash, E'\\n', p_log_after || E'\\n', v_entry), 'UTF8')), 'hex');
        INSERT INTO @log(place, number, chain, hash, entry)
          VALUES (coalesce(p_log_after, v_number), v_number, v_chain, v_hash, v_entry);
      END LOOP;
    END IF;
    RETURN 'taken';
  END $$;
`;
