SET check_function_bodies = false;
CREATE SCHEMA old;
CREATE FUNCTION old.adopt(p_from text, p_to integer) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  DECLARE v_source int;
  BEGIN
    SELECT id INTO v_source FROM "old".trails WHERE name = p_from AND id <> p_to FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM "old".checkpoints AS theirs WHERE trail = v_source
      AND EXISTS (SELECT 1 FROM "old".checkpoints AS own WHERE own.trail = p_to AND own.id = theirs.id);
    UPDATE "old".checkpoints SET foreign_id = NULL WHERE trail = v_source
      AND foreign_id IN (SELECT foreign_id FROM "old".checkpoints WHERE trail = p_to);
    UPDATE "old".checkpoints SET trail = p_to, sequence = numbered.next FROM (
      SELECT sequence AS old, nextval('"old".commits') AS next
      FROM (SELECT sequence FROM "old".checkpoints WHERE trail = v_source ORDER BY sequence) AS ordered
    ) AS numbered WHERE trail = v_source AND sequence = numbered.old;
    INSERT INTO "old".forks(trail, parent) SELECT p_to, parent FROM "old".forks WHERE trail = v_source ON CONFLICT DO NOTHING;
    DELETE FROM "old".forks WHERE trail = v_source;
    DELETE FROM "old".records WHERE waits_in = v_source;
    DELETE FROM "old".trails WHERE id = v_source;
  END $$;
CREATE FUNCTION old.attach(p_checkpoint bytea, p_trail text, p_foreign_id text, p_keys text[], p_values bytea[], p_if_absent boolean) RETURNS text
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  DECLARE
    t "old".trails;
    v_checkpoint bytea := p_checkpoint;
    v_waits_in int;
  BEGIN
    PERFORM "old".enter(false);
    IF p_checkpoint IS NULL THEN
      t := "old".lock_trail(p_trail);
      SELECT id INTO v_checkpoint FROM "old".checkpoints WHERE trail = t.id AND foreign_id = p_foreign_id;
      IF NOT FOUND THEN
        IF t.removed THEN RETURN 'removed'; END IF;
        v_checkpoint := "old".waiting_for(p_trail, p_foreign_id);
        v_waits_in := t.id;
      END IF;
    ELSIF NOT EXISTS (SELECT 1 FROM "old".checkpoints WHERE id = p_checkpoint) THEN
      RETURN 'unknown';
    END IF;
    PERFORM "old".write_records(v_checkpoint, v_waits_in, p_keys, p_values, p_if_absent);
    RETURN 'attached';
  END $$;
CREATE FUNCTION old.boundary(OUT number bigint, OUT sequence bigint) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  BEGIN
    PERFORM "old".enter(true);
    SELECT (b.last_value + 1) << 20, c.last_value INTO number, sequence FROM "old".births AS b, "old".commits AS c;
  END $$;
CREATE FUNCTION old.candidates(p_ids bytea[], p_trails text[], p_pin text) RETURNS text
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  BEGIN
    RETURN (WITH asked AS (
      SELECT c.* FROM "old".checkpoints AS c WHERE c.id = ANY (p_ids)
      UNION SELECT c.* FROM "old".trails AS t JOIN "old".checkpoints AS c ON c.trail = t.id WHERE t.name = ANY (p_trails)
    ), counted AS (
      SELECT w.trail, (
        SELECT count(*) FROM (SELECT 1 FROM "old".checkpoints AS c WHERE c.trail = w.trail LIMIT w.most) AS few
      ) AS places FROM (SELECT a.trail, count(*) + 1 AS most FROM asked AS a GROUP BY a.trail) AS w
    )
    SELECT json_agg(json_build_object(
      'sequence', c.sequence, 'id', encode(c.id, 'hex'), 'trail', t.name, 'isHead', t.head IS NOT DISTINCT FROM c.id,
      'isPinned', EXISTS (SELECT 1 FROM "old".records AS r WHERE r.checkpoint = c.id AND starts_with(r.key, p_pin)),
      'forkedBy', ARRAY(
        SELECT f2.name FROM "old".forks AS f JOIN "old".trails AS f2 ON f2.id = f.trail WHERE f.parent = c.id ORDER BY f2.name
      ), 'places', n.places
    ) ORDER BY c.sequence)
    FROM asked AS c JOIN "old".trails AS t ON t.id = c.trail JOIN counted AS n ON n.trail = c.trail);
  END $$;
CREATE FUNCTION old.commit(p_trail text, p_waits boolean, p_id bytea, p_parent bytea, p_created double precision, p_moves boolean, p_from bytea, p_needed bytea[], p_ids bytea[], p_bases bytea[], p_data bytea[], p_foreign_id text, p_keys text[], p_values bytea[], p_revives boolean, p_adopts text, p_log json[], p_log_after bigint) RETURNS text
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  DECLARE
    t "old".trails;
    v_parent bytea := p_parent;
    v_missing bytea;
    v_born bigint;
    v_inserted bigint;
    v_chain text; v_number bigint; v_hash text; v_entry json;
  BEGIN
    
    IF current_setting('transaction_isolation') <> 'read committed' THEN RAISE 'default_transaction_isolation must be "read committed"'; END IF;
    IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
    IF p_adopts IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended('"old".', 0));
    ELSE PERFORM pg_advisory_xact_lock_shared(hashtextextended('"old".', 0)); END IF;
    IF p_log_after IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('"old".', 2));
      SELECT max(number) INTO v_number FROM "old".log WHERE chain = '';
      IF v_number IS DISTINCT FROM p_log_after THEN RETURN 'moved'; END IF;
    ELSIF p_log IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended('"old".', 2));
    END IF;
    SELECT * INTO t FROM "old".trails WHERE name = p_trail FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      -- Another commit holds the trail. A caller that can build its change again does not wait for it: the head will have moved.
      IF NOT p_waits THEN RETURN 'moved'; END IF;
      t := "old".lock_trail(p_trail);
    END IF;
    IF t.removed AND p_revives IS NOT TRUE THEN RETURN 'removed'; END IF;
    IF p_moves AND t.head IS DISTINCT FROM p_from THEN RETURN concat('moved ', encode(t.head, 'hex')); END IF;
    IF p_foreign_id IS NOT NULL THEN
      PERFORM FROM "old".checkpoints WHERE trail = t.id AND foreign_id = p_foreign_id AND id <> p_id
        UNION ALL SELECT FROM "old".checkpoints WHERE id = p_id AND trail = t.id AND foreign_id <> p_foreign_id;
      IF FOUND THEN RETURN 'foreign'; END IF;
    END IF;
    SELECT needed INTO v_missing FROM unnest(p_needed) AS needed
      WHERE NOT EXISTS (SELECT 1 FROM "old".objects WHERE id = needed) LIMIT 1;
    IF FOUND THEN RETURN 'missing ' || encode(v_missing, 'hex'); END IF;
    -- New objects get numbers above those of everything they refer to: a sweep deletes the highest numbers first, and so never leaves an
    -- object whose parts are gone. What they refer to was looked up just now; only an object that another commit stored at the same
    -- time can have a higher number, and then these get new ones.
    v_born := nextval('"old".births');
    INSERT INTO "old".objects(number, base, id, data)
      SELECT (v_born << 20) + place, (SELECT number FROM "old".objects AS o WHERE o.id = brought.base), id, data
      FROM unnest(p_ids, p_bases, p_data) WITH ORDINALITY AS brought(id, base, data, place) ORDER BY id
      ON CONFLICT (id) DO NOTHING;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;
    IF v_inserted < cardinality(p_ids) AND EXISTS (SELECT 1 FROM "old".objects WHERE id = ANY (p_ids) AND number >> 20 > v_born) THEN
      UPDATE "old".objects SET number = number + (((SELECT nextval('"old".births')) - v_born) << 20)
        WHERE id = ANY (p_ids) AND number >> 20 = v_born;
    END IF;
    IF p_adopts IS NOT NULL THEN PERFORM "old".adopt(p_adopts, t.id); END IF;
    IF p_parent IS DISTINCT FROM t.head THEN
      -- A parent that this store never had, as after an import, is named in the checkpoint itself, not in the index.
      v_parent := CASE WHEN EXISTS (SELECT 1 FROM "old".checkpoints WHERE id = p_parent)
        OR EXISTS (SELECT 1 FROM "old".tombstones WHERE id = p_parent) THEN p_parent END;
      IF v_parent IS DISTINCT FROM t.head THEN PERFORM "old".note_fork(t.id, v_parent); END IF;
    END IF;
    INSERT INTO "old".checkpoints(sequence, created, trail, id, parent, foreign_id)
      VALUES (nextval('"old".commits'), p_created, t.id, p_id, v_parent, p_foreign_id) ON CONFLICT (id, trail) DO NOTHING;
    IF p_foreign_id IS NOT NULL THEN
      UPDATE "old".checkpoints SET foreign_id = p_foreign_id WHERE id = p_id AND trail = t.id AND foreign_id IS NULL;
      PERFORM "old".write_records(p_id, NULL, array_agg(key), array_agg(value), false) FROM "old".records
        WHERE checkpoint = "old".waiting_for(p_trail, p_foreign_id) HAVING count(*) > 0;
      DELETE FROM "old".records WHERE checkpoint = "old".waiting_for(p_trail, p_foreign_id);
    END IF;
    DELETE FROM "old".tombstones WHERE id = p_id;
    UPDATE "old".trails SET head = CASE WHEN p_moves THEN p_id ELSE head END, removed = false
      WHERE id = t.id AND (p_moves OR removed);
    IF p_keys IS NOT NULL THEN PERFORM "old".write_records(p_id, NULL, p_keys, p_values, false); END IF;
    IF p_log IS NOT NULL THEN
      -- A hash covers the one before it in its chain, in a trail's chain also the place, and the entry.
      v_chain := CASE WHEN p_log_after IS NULL THEN '' ELSE p_trail END;
      SELECT number, hash INTO v_number, v_hash FROM "old".log WHERE chain = v_chain ORDER BY number DESC LIMIT 1;
      IF NOT FOUND THEN
        SELECT 0, concat(convert_from(value, 'UTF8'), ' ' || nullif(v_chain, '')) INTO v_number, v_hash FROM "old".meta WHERE key = 'store_id';
      END IF;
      FOREACH v_entry IN ARRAY p_log LOOP
        v_number := v_number + 1;
        v_hash := encode(sha256(convert_to(concat(v_hash, E'\n', p_log_after || E'\n', v_entry), 'UTF8')), 'hex');
        INSERT INTO "old".log(place, number, chain, hash, entry)
          VALUES (coalesce(p_log_after, v_number), v_number, v_chain, v_hash, v_entry);
      END LOOP;
    END IF;
    RETURN 'taken';
  END $$;
CREATE FUNCTION old.enter(p_alone boolean) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  BEGIN 
    IF current_setting('transaction_isolation') <> 'read committed' THEN RAISE 'default_transaction_isolation must be "read committed"'; END IF;
    IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
    IF p_alone THEN PERFORM pg_advisory_xact_lock(hashtextextended('"old".', 0));
    ELSE PERFORM pg_advisory_xact_lock_shared(hashtextextended('"old".', 0)); END IF; END $$;
CREATE TABLE old.trails (
    id integer NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    head bytea
)
WITH (fillfactor='50');
CREATE FUNCTION old.lock_trail(p_trail text) RETURNS old.trails
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  DECLARE t "old".trails;
  BEGIN
    SELECT * INTO t FROM "old".trails WHERE name = p_trail FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO "old".trails(name) VALUES (p_trail) ON CONFLICT (name) DO NOTHING;
      SELECT * INTO t FROM "old".trails WHERE name = p_trail FOR UPDATE;
    END IF;
    RETURN t;
  END $$;
CREATE FUNCTION old.note_fork(p_trail integer, p_parent bytea) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  BEGIN
    WITH RECURSIVE above AS (
      SELECT p_parent AS id UNION SELECT t.parent FROM above JOIN "old".tombstones AS t ON t.id = above.id
    ) INSERT INTO "old".forks(trail, parent) SELECT DISTINCT p_trail, above.id FROM above JOIN "old".checkpoints AS c ON c.id = above.id
      WHERE NOT EXISTS (SELECT 1 FROM "old".checkpoints AS own WHERE own.id = above.id AND own.trail = p_trail)
      ON CONFLICT DO NOTHING;
  END $$;
CREATE FUNCTION old.objects_before(p_number bigint) RETURNS TABLE(id bytea, base bigint, number bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT objects.id, objects.base, objects.number FROM "old".objects AS objects
    WHERE objects.number < p_number ORDER BY objects.number DESC
  $$;
CREATE FUNCTION old.read_log(p_place bigint, p_chain text, p_number bigint, p_seen json, p_limit bigint) RETURNS TABLE(number double precision, text text, hash text, after double precision, trail text, last double precision, last_hash text)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  BEGIN
    RETURN QUERY SELECT l.number::float8, l.entry::text, l.hash, l.place::float8, l.chain, b.number::float8, b.hash
      FROM "old".log AS l LEFT JOIN LATERAL (
        SELECT o.number, o.hash FROM "old".log AS o WHERE o.chain = l.chain AND o.number < l.number ORDER BY o.number DESC LIMIT 1
      ) AS b ON true
      WHERE (l.place, l.chain, l.number) > (p_place, p_chain, p_number) AND l.number > coalesce((p_seen ->> l.chain)::bigint, 0)
      ORDER BY l.place, l.chain, l.number LIMIT p_limit;
  END $$;
CREATE FUNCTION old.record_hash(p_checkpoint bytea, p_key text, p_value bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT substring(sha256(p_checkpoint || sha256(convert_to(p_key, 'UTF8')) || p_value) FROM 1 FOR 16)
  $$;
CREATE FUNCTION old.take_out(p_ids bytea[], p_doomed text[], p_pin text, p_seen text, p_sequences bigint[]) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  DECLARE
    v_gone "old".checkpoints[];
    v_trails int[];
  BEGIN
    PERFORM "old".enter(true);
    IF "old".candidates(p_ids, p_doomed, p_pin) IS DISTINCT FROM p_seen THEN RETURN false; END IF;
    -- A trail that nobody sees is not remembered, nor is one without checkpoints.
    UPDATE "old".trails AS t SET head = NULL, removed = t.removed OR left(t.name, 1) <> '.'
      AND EXISTS (SELECT 1 FROM "old".checkpoints AS c WHERE c.trail = t.id) WHERE t.name = ANY (p_doomed);
    DELETE FROM "old".records WHERE waits_in IN (SELECT t.id FROM "old".trails AS t WHERE t.name = ANY (p_doomed));
    WITH gone AS (DELETE FROM "old".checkpoints AS c WHERE c.sequence = ANY (p_sequences) RETURNING c)
      SELECT array_agg(c ORDER BY (c).sequence DESC), array_agg(DISTINCT (c).trail) INTO v_gone, v_trails FROM gone;
    DELETE FROM "old".forks AS f WHERE f.trail = ANY (v_trails)
      AND NOT EXISTS (SELECT 1 FROM "old".checkpoints AS c WHERE c.trail = f.trail);
    -- The same checkpoint may still stand in another trail.
    DELETE FROM "old".records AS r WHERE r.checkpoint IN (SELECT g.id FROM unnest(v_gone) AS g)
      AND NOT EXISTS (SELECT 1 FROM "old".checkpoints AS c WHERE c.id = r.checkpoint);
    -- One tombstone stands for a whole trail.
    INSERT INTO "old".tombstones(id, parent, created, trail)
      SELECT DISTINCT ON (g.id) g.id, g.parent, g.created, t.name
      FROM unnest(v_gone) AS g JOIN "old".trails AS t ON t.id = g.trail
      WHERE left(t.name, 1) <> '.' AND NOT EXISTS (SELECT 1 FROM "old".checkpoints AS c WHERE c.id = g.id)
        AND (t.name <> ALL (p_doomed) OR EXISTS (SELECT 1 FROM "old".checkpoints AS c WHERE c.trail = g.trail))
      ORDER BY g.id, g.sequence DESC
      ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, created = excluded.created, trail = excluded.trail;
    RETURN true;
  END $$;
CREATE FUNCTION old.waiting_for(p_trail text, p_foreign_id text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT sha256(convert_to(E'\n' || p_trail || E'\n' || p_foreign_id, 'UTF8'))
  $$;
CREATE FUNCTION old.write_records(p_checkpoint bytea, p_waits_in integer, p_keys text[], p_values bytea[], p_if_absent boolean) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET search_path TO 'pg_catalog'
    AS $$
  BEGIN
    INSERT INTO "old".records(checkpoint, key, hash, value, waits_in)
      SELECT p_checkpoint, key, "old".record_hash(p_checkpoint, key, value), value, p_waits_in
      FROM unnest(p_keys, p_values) AS given(key, value) WHERE value IS NOT NULL ORDER BY key COLLATE "C"
      ON CONFLICT (checkpoint, key) DO UPDATE SET hash = excluded.hash, value = excluded.value WHERE NOT p_if_absent;
    IF p_if_absent THEN RETURN; END IF;
    DELETE FROM "old".records WHERE checkpoint = p_checkpoint
      AND key IN (SELECT key FROM unnest(p_keys, p_values) AS given(key, value) WHERE value IS NULL);
  END $$;
CREATE TABLE old.log (
    place bigint NOT NULL,
    number bigint NOT NULL,
    chain text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL,
    entry json NOT NULL,
    CONSTRAINT log_check CHECK (((number > 0) AND (place > 0) AND ((chain <> ''::text) OR (place = number))))
);
CREATE VIEW old.agent_actions AS
 SELECT log.chain,
    log.number,
    (log.entry ->> 'at'::text) AS at,
    (log.entry ->> 'agent'::text) AS agent,
    (log.entry ->> 'tier'::text) AS tier,
    (log.entry ->> 'attested'::text) AS attested,
    (log.entry ->> 'action'::text) AS action,
    (log.entry ->> 'trail'::text) AS trail,
    (log.entry ->> 'checkpoint'::text) AS checkpoint,
    (log.entry ->> 'approval'::text) AS approval
   FROM old.log
  WHERE ((log.entry ->> 'type'::text) = 'action'::text);
CREATE SEQUENCE old.births
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE old.checkpoints (
    sequence bigint NOT NULL,
    created double precision NOT NULL,
    trail integer NOT NULL,
    id bytea NOT NULL,
    parent bytea,
    foreign_id text COLLATE pg_catalog."C"
);
CREATE SEQUENCE old.commits
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE old.forks (
    trail integer NOT NULL,
    parent bytea NOT NULL
);
CREATE TABLE old.meta (
    key text NOT NULL,
    value bytea NOT NULL
);
CREATE TABLE old.objects (
    number bigint NOT NULL,
    base bigint,
    id bytea NOT NULL,
    data bytea NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY old.objects ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE VIEW old.promotions AS
 SELECT log.chain,
    log.number,
    (log.entry ->> 'at'::text) AS at,
    (log.entry ->> 'type'::text) AS type,
    (log.entry ->> 'agent'::text) AS agent,
    (log.entry ->> 'from'::text) AS "from",
    (log.entry ->> 'to'::text) AS "to",
    (log.entry ->> 'by'::text) AS by
   FROM old.log
  WHERE ((log.entry ->> 'type'::text) = ANY (ARRAY['promotion'::text, 'demotion'::text, 'revocation'::text, 'restoration'::text]));
CREATE TABLE old.records (
    checkpoint bytea NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    value bytea NOT NULL,
    waits_in integer
);
CREATE VIEW old.tasks AS
 SELECT log.chain,
    log.number,
    (log.entry ->> 'at'::text) AS at,
    (log.entry ->> 'agent'::text) AS agent,
    (log.entry ->> 'trail'::text) AS trail,
    (log.entry ->> 'task'::text) AS task,
    (log.entry ->> 'status'::text) AS status,
    (log.entry ->> 'subject'::text) AS subject
   FROM old.log
  WHERE ((log.entry ->> 'type'::text) = 'task'::text);
CREATE TABLE old.tombstones (
    id bytea NOT NULL,
    parent bytea,
    created double precision NOT NULL,
    trail text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE old.trails ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME old.trails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW old.violations AS
 SELECT log.chain,
    log.number,
    (log.entry ->> 'at'::text) AS at,
    (log.entry ->> 'agent'::text) AS agent,
    (log.entry ->> 'rule'::text) AS rule,
    (log.entry ->> 'what'::text) AS what,
    (log.entry ->> 'action'::text) AS action
   FROM old.log
  WHERE ((log.entry ->> 'type'::text) = 'violation'::text);
INSERT INTO old.checkpoints VALUES (1, 1795015884033, 1, '\xbd83f598584d455014a9fe7a2406bbb2df5e82dd2007f3593d37af700a05a62b', NULL, NULL);
INSERT INTO old.checkpoints VALUES (2, 1795015884042, 1, '\x5fc5d62ac0c1e40e2d050ecc8f2653a6bb78e0136d2a6fc1191728d92944e785', '\xbd83f598584d455014a9fe7a2406bbb2df5e82dd2007f3593d37af700a05a62b', NULL);
INSERT INTO old.checkpoints VALUES (3, 1795015884046, 1, '\x79825cc717e26bb9e095aba89cc324398194f1f55443cf50163108695c59bc09', '\x5fc5d62ac0c1e40e2d050ecc8f2653a6bb78e0136d2a6fc1191728d92944e785', NULL);
INSERT INTO old.checkpoints VALUES (4, 1795015884049, 1, '\x6b6d7efc2dc1a23594e49c08eb6079855d14ae9659d5e1921ee18e3c63e75a74', '\x79825cc717e26bb9e095aba89cc324398194f1f55443cf50163108695c59bc09', NULL);
INSERT INTO old.checkpoints VALUES (5, 1795015884051, 1, '\x91f1f87fbed779fc3a24c483cb50498c5addf29d73d0f4f0f9293dc8e902a4fd', '\x6b6d7efc2dc1a23594e49c08eb6079855d14ae9659d5e1921ee18e3c63e75a74', NULL);
INSERT INTO old.checkpoints VALUES (6, 1795015884054, 1, '\xebf4a8bb3a826596aa405e4628cb31c4f0671c3d66ad742d3834e0c7252709c2', '\x91f1f87fbed779fc3a24c483cb50498c5addf29d73d0f4f0f9293dc8e902a4fd', NULL);
INSERT INTO old.checkpoints VALUES (7, 1795015884064, 1, '\x7462d2e9b6fa91b81c69c940170e0cd964cb4e3260bba58491aad45da89b5eb1', '\xebf4a8bb3a826596aa405e4628cb31c4f0671c3d66ad742d3834e0c7252709c2', NULL);
INSERT INTO old.checkpoints VALUES (8, 1795015884069, 1, '\x29e38689b0012d5ef6ce63550e2e0702acf7df0ef16f217159f92700f0904f6e', '\x7462d2e9b6fa91b81c69c940170e0cd964cb4e3260bba58491aad45da89b5eb1', NULL);
INSERT INTO old.meta VALUES ('store_id', '\x63653733623331372d666265312d346464392d386164302d333461323838656362303663');
INSERT INTO old.meta VALUES ('store_key', '\xc9a7ad61175179021bdb052208739ebded2ac7cc5c3d908c6bef266cd1328b1c');
INSERT INTO old.meta VALUES ('store_schema', '\x31');
INSERT INTO old.objects VALUES (1048577, NULL, '\x4097a6934a57a5ed77633acff29fac0f8becaa82be84555bbf0fdda74eaedb12', '\x28b52ffd60d302ad0c00c6d53c1f506bda010054bfd51cc918141eeb201df989aa3a2fc96eb217e46c540dd1613b0033002f00098b8314c7f0d1d641078964e6d914672109ef6b4a4a9442ca10df0a966a30d6b3a5a004e158e71b42822ccb10e618401c0a19204a21c6e1002010b8dcdbe635dffffbcddebea1066a2858abf6b9ad84c148c7d8d7d0929632ee63a3ae861492b0d537c551902561ce896b4b4952a87cedaeb8461d5199b9f9bb6fb3cf20bbf15ebf76838bd8b7b02065ab987f88690b5a2c89c1f654fb7c1bf956db330f873896d248e70820381e53bf57cf5377db79d7f3d27867beb69f694d5d936952173b1999195f571b3771333dd14d6e4ea8312458ce2823a5c230063042829c3b3b1010821cb58e0199c6f7d9d84f279d08771ad1baac2de05ee0f949c440b351c49db34a53ae20c3ca60d39a4d7c013f5a6bc510a2d01dc4973ac4e13284dba93e8e1aab5ec7e078390967f752e0fd9cf0bec84eb56b6a8a3b0c2c33365988bc3b1836fa18ef572b358a12075783f1c6522ce89c5ca96797383bf67794e4317db0cc16d202519bac8a2856fe7055');
INSERT INTO old.objects VALUES (1048578, NULL, '\xbd83f598584d455014a9fe7a2406bbb2df5e82dd2007f3593d37af700a05a62b', '\x28b52ffd20bac50400a28a221e5047ac03a86f6c39ec2163553b1f3b17f11133c1a6ae9bf8869899cf302609093253501bdb07c89726900d1f566ec0d84e92ca036b2100a6605ab02581978694064221c590ef91d9f76d251f66ea1786acd4dbcb074184c271b04a71f69bb9cf49118db1b5c65e47f57ed9f151244f0b45a9fc5a8473b3db5d3b5b05715720c6e7e0bebf0d1b86111003005c894ead0126290b67');
INSERT INTO old.objects VALUES (2097154, NULL, '\x5fc5d62ac0c1e40e2d050ecc8f2653a6bb78e0136d2a6fc1191728d92944e785', '\x28b52ffd604200850700c691361f5067eca86ff5ab83518d1690a57c5a72881a31976b94a69c184f4755a5ab1a2b002d002e006a1d228718792e295d65ebad52da567e88daa748b1c53e2575ab9dba2f5fec35636918f2a3c7270b858240692401270d48dc16b5de81b5c7eea158395b464fe0477fe7a5910de38a6c9960dc8969684300301892d1eba3178ebcc23cad7627985667cbe5f165b156d082ee48bca8f758bb7bc405e2654bc824b1610a1688f7cb4b62f38e2f0209dbb229601ee70f1257fcf29e3432e1068df38703938e95b7ba2aa2388220628d14449521e4f5ad4076ce294d1c060044139d4213204f6280e54bab3593948528');
INSERT INTO old.objects VALUES (2097153, 1048577, '\x995c98a8aa0b58b044e989630c167c20514465a1901064bc723b3da16c3e0e32', '\x28b52ffd6084060d090082ca1610c01572ffff003a536e922d2f1d2abe0103adc1209ac5860c792bf9255b539ae1e648aac06d213a35e482e5e289d92f1a36faf6300a0d7d1e515221ac6129e712e1d6611e3f46fec847105f55dd06e5336159e03df34f090210085ca8504ef63042428c21e30312d07011b1b582dcffff3b8793d431b28368fd0c031c8d6bbac29b584c3db83a7f150d49c8899553357c91876a0c0f4d2dfdf3a88e1d298ae7f91f2b00c88c0769859d87f27fac1acb46cb187b5e670df9e9ffa02cd90f7c1d8a6b559ca89ecfc976ce698a4a6341d67f0826a63d4ed83e9eba7ecfe306ec037ff0609edda3605650025cad543b00f6e1a3d4559da7133302a0101d5726ce322287fcc04305d961cf230652f20e41d38cc50d4ff1027eb21de2d65bac04');
INSERT INTO old.objects VALUES (3145729, NULL, '\x65a88c3c4456be0ed0ef2f146418d504ea620e56f50a08660fcad0601deb87a4', '\x28b52ffd60350a3d1c0056685f1e506dd20690c0f7911e1958685a0300cc4c1d37b7e496ec24f813b36caf0170004f004c00f5a171d22a9f8939266749201288878266482f910603838351ee2ec9c311819443bab15b49200b8362cb82c068583c0ccaafea126968381c14180902a3345b228c24c1c05126af2030220b87bc4b83a301812490d26639884026ca19954843d2586014ac2c0b8dc523520446410030108a6c59a28d5e66e3cf7e51cdb12a0d4f8356e6a99a3217eb7a774db3615d75d5ab9f72ed087fabc7dedadde12522b990a6f739fa849fba458a782490626b25b5551e89c2c321514c664837f6c886af533d233b9b2a115b99eddf43df93f7b5b06333a36aba67dbbcb26e75631ae1d835cd72ae83d4bc2442bb3386f4425f16d1113ff67bd2f56976d2d4b3583c22b9f28e5e36ce9f3dd315204540058a6bfd4dbf542d5af176e823f4e44d51cd3ef923ba341a8fea649bee584447731efdb13acb5e1d5d37bab9db6fda3ba2dead7a885735ec5595ae28af92ca4494afa44f3d0f05aa08501892038102a86134dbcb2823a5c23006410409c47112a33d11200884225995b4064249d9544bb11559be02f56c6ac01584529b249f1d8d5107f0975b7f0929f34028e6a7687442181c92b4f087f8940346874e4f845f0821038d0746008224ea0d141cb9c1acdd7902d411cc84c7402a44c45c39a792d46fe447e09ebd1e6175c310a8b010d5ffaf8582863f758fb31407fdc8a70a8df0840e7d8426f39479328b87d041c4eb5f77e076a0a3b8656a6f30fa3ca6d128f172e01fc7d00a367ff16d7b978082e903415a7a8b2368ff1386ceda7d24da6c0417c4e1071a60615c972b4593ee140a17c8df5ec305216045511d0ec207db980cd3b5b49c0f7698484cbc3efe003681047ab356278bf0f20fa47136fec6ece7fd2c193f2f7fc897c8071a0fc5b48e9c483d3d4eb47319a67c69f0a7f8ab36c5bf8703bbc63bdb7ecce2eee8a19f7a70397ba4a82bf008c85b8b3a16d8331f8eab250fbb981be88532ae7e7143400a425ef1428288c31d12cb5b621c32d39485203cfbe5cca7c2d406d2576090ea7642766ad13cd6788061b1f9e162101be1b8c9a9a6c5ada460a2cc4d129b68a17ac856c962380adf017aa183483b0501ac1b7c0d55554d7503078d27fc8c5941e0793ee14d2e33557fa9b7a8751d2f1935998dc71dc177b847d57c5d0926a2f2006c6067cdda58e4d0e4502dba7a3270937fffc3e3e08341ba096821a94da02921047032a802');
INSERT INTO old.objects VALUES (3145731, 2097154, '\x79825cc717e26bb9e095aba89cc324398194f1f55443cf50163108695c59bc09', '\x010e4041c429d521991e8ada3d2921e3624972640ef3f70848ceb52601211c7b84ac00b82c1830323032362d31312d31385431353a33313a32342e3034365a1a1d3a636b70742d32303236313131382d3135333132342d35666335643632611140415fc5d62ac0c1e40e2d050ecc8f2653a6bb78e0136d2a6fc1191728d92944e785');
INSERT INTO old.objects VALUES (3145730, NULL, '\xc429d521991e8ada3d2921e3624972640ef3f70848ceb52601211c7b84ac00b8', '\x28b52ffd206ded02003206151990a76d4b61901ffd69c96a04eebf34585cb9cd3a14cc82081c89033103e150602b47100542760bd0a493793e2dab67eaf7a812fb466edf31a9b93ca30cd54ffd4e12eff860d5c5b4826cb560d7ea819d730201010056b58528');
INSERT INTO old.objects VALUES (4194305, 3145729, '\x032869aeae955ce036edf5c977ec13a67086c2d78c84ef3d6a1d4be8966ab2c0', '\x035597cd71433108842715e496027cce41fc08907b499729242565b0c522dd3c9ef7243d2dbb7cfc7e7dfc7d7e3fe4599d74407a5ba8bc0443747903191963e7dbefe1fd3f228c0974c57d7a6d20894605f6e3275ed3aca143bab836d5a8ac4acc7ee3f2dced343b627d4b12d6ded05a7b6f6f8ae39a6971632b96c8cbaf252a347953856a63010bd6f475453c5b3b8ce1f5e4e91275c9f9bc60c078379bbd7ee5ff64f82c0965338f1570fadd834456b1ab160850477028ee3eb46ad4d8115303fe97eb90c4def1b71b52aca2f91997ef5e1aed1248ee7c1d9410b40e745bd42916156c0eeea00959a8c4587d1d46305776fb72e735e7b0037272cca962d3e8a03938460fedcb5fb33dc18471200af3c738b8bae7c8d1a69a98ffd88e674b74e24bc0290ca8db9f2c6334150930111d658a3f7efe01');
INSERT INTO old.objects VALUES (4194307, 3145731, '\x6b6d7efc2dc1a23594e49c08eb6079855d14ae9659d5e1921ee18e3c63e75a74', '\x010e4041b1a4e10016a7b1530cb9a1986d5d5ccebd12237ecc63e1059a1034881ded16bc2c1830323032362d31312d31385431353a33313a32342e3034395a1a1d3a636b70742d32303236313131382d3135333132342d373938323563633711404179825cc717e26bb9e095aba89cc324398194f1f55443cf50163108695c59bc09');
INSERT INTO old.objects VALUES (4194306, 3145730, '\xb1a4e10016a7b1530cb9a1986d5d5ccebd12237ecc63e1059a1034881ded16bc', '\x01114041032869aeae955ce036edf5c977ec13a67086c2d78c84ef3d6a1d4be8966ab2c01903063a347d');
INSERT INTO old.objects VALUES (5242883, 4194307, '\x91f1f87fbed779fc3a24c483cb50498c5addf29d73d0f4f0f9293dc8e902a4fd', '\x010e4041da679a01e78fe490862abd42685499105616130f2bb0eef88ac59898b71655b22c1830323032362d31312d31385431353a33313a32342e3035315a1a1d3a636b70742d32303236313131382d3135333132342d36623664376566631140416b6d7efc2dc1a23594e49c08eb6079855d14ae9659d5e1921ee18e3c63e75a74');
INSERT INTO old.objects VALUES (5242882, 4194306, '\xda679a01e78fe490862abd42685499105616130f2bb0eef88ac59898b71655b2', '\x01114041f039667fe45a679c5ea0466cc687a3988bae81c1b049d2b8d68ad5fd4fac756f1903063a357d');
INSERT INTO old.objects VALUES (5242881, 4194305, '\xf039667fe45a679c5ea0466cc687a3988bae81c1b049d2b8d68ad5fd4fac756f', '\x035598c96d44310c43910ad2410e73cec15ae8657a496569618a1c20b148fbfa6118b6be443efaf7ebe3f5f9fdc8273974758afd2eede84a63eb987abf4a862592b66b28a700d334dae28b218b40fdf631ebf6ff08bd6b628c43b6fb7c3aa9717615ca6e5d5807e7a1d105b5b3cf7559deb8da38aded993665d01a2abb964edf1ee5023310d45d220b1a5348c8415bb2a00362a6940107839237a5594b329e609f8f3a7f67ca48709afa3edda2cb0151d7e4f8a53364005403df9c95ab3accda96bda95f589e9702afdaf56e15f1987be97467aaefc13b7bb07d566cbcf913d4cae3798c27f45c4276cca1668945f219a6d704653b6e60116780e2527e949338f4901441c382532bbb1310ad4bc2ad35220245cb460934520f58ce0c772344028f9f37');
INSERT INTO old.objects VALUES (6291458, 5242882, '\x40fe5d4e57fbf97aca65ebe37e276ba4a9405f06b7a401c25d3192948f89c005', '\x0111404142c79dca78851e69dc0a7557812e8974540999f3716d50b28336e02d72a776a31903063a367d');
INSERT INTO old.objects VALUES (6291457, 5242881, '\x42c79dca78851e69dc0a7557812e8974540999f3716d50b28336e02d72a776a3', '\x035d98c16dc5300c43d109ba4380de7ab02dc98afe2e7fb78ed8110a032169f7162009125b16f9a8dfaf8f9fcfef2b5ed4b0766f2b223586123fff67fbc63c796820f436d67ba29d362ba5e884e1c120847bc76f0f4af83225f4f10392a5dcd44f9fea8f8978a1d7946b187f6ccbc85dc59e83b558c302eebaf468b128ea92fe5fe3f8c2cd29870fe29837ac6de1e7e3b7eaab54c88585347a4cc6e9ec286e15ed334d3314a761ac4b882599377c4b48e72823d94673e7036453c2edea22023c98a1a451cb0db8ee12e69a76f2d19df2d3118cc0997c38ef608c02fa76f5d0acc46dc51f578689b60f9dd02b062d624571f4643a664c24734e49083635b5ff1181c1551dee579a58f5c6035680bf74a1ffc1a643106354ee285283cb2622ec7aff01');
INSERT INTO old.objects VALUES (6291459, 5242883, '\xebf4a8bb3a826596aa405e4628cb31c4f0671c3d66ad742d3834e0c7252709c2', '\x010e404140fe5d4e57fbf97aca65ebe37e276ba4a9405f06b7a401c25d3192948f89c0052c1830323032362d31312d31385431353a33313a32342e3035345a1a1d3a636b70742d32303236313131382d3135333132342d393166316638376611404191f1f87fbed779fc3a24c483cb50498c5addf29d73d0f4f0f9293dc8e902a4fd');
INSERT INTO old.objects VALUES (7340034, 6291458, '\x05cbd6f916fe83cd5a04fab89db0806eb2c7aca739f86f309ea48f0e5c8b4494', '\x0111404140ca7b0dfbbb92152c96991643e56b90ec18e7aae045ac29e9618a3d7ccac4c41903063a377d');
INSERT INTO old.objects VALUES (7340033, 6291457, '\x40ca7b0dfbbb92152c96991643e56b90ec18e7aae045ac29e9618a3d7ccac4c4', '\x035558cb6d44210c541a48117bde486b1b63482fa9358de5b022f278cc0de9490f30e3f9f8f7ebe3eff3f998df552ad4aa6179357d5679113c966d3356e59c7ca0b009716292a0621f0866ae03039dd09769da953071f806290e9df62268db522ed7843fd8a6e231df5826fe43f34586caaea73719b00435c7086bde4181a23da0472ed13b096f17b9a51b246fae16fcf3ab0c9421843ced5ef1192cb09cf38b364fb995efc805807abbe7332ca95901e8af4a7c8c5e2d8d3e6ae190b882a8de4c5a1aee94af81e83d6cb4fe4df554308136984524408e378155a0fa1ac8e53f7ce6e998eb6df24f02808995075d8e39c875fae39699e2a50e4d4a9935f11935a38a4dc5decc0eb99735db2d0187edca0b503a835e375014d7f23bb6197292ed6c3f7ede');
INSERT INTO old.objects VALUES (7340035, 6291459, '\x7462d2e9b6fa91b81c69c940170e0cd964cb4e3260bba58491aad45da89b5eb1', '\x010e404105cbd6f916fe83cd5a04fab89db0806eb2c7aca739f86f309ea48f0e5c8b44942c1830323032362d31312d31385431353a33313a32342e3036345a1a1d3a636b70742d32303236313131382d3135333132342d6562663461386262114041ebf4a8bb3a826596aa405e4628cb31c4f0671c3d66ad742d3834e0c7252709c2');
INSERT INTO old.objects VALUES (8388609, 7340033, '\x118a6f9792cb20fd03c6c46a2a3b5e7289cf00a78f88d503f43ba77e3c5ea394', '\x036d98cb71c6300884270da4889c7310120291fecbf84bc921c161177b2657cfd8d663d9fde05bdf5eef9f1ffe5597381e5610be41daec0b4d998a32766b353afc0b7bd299b0396f43b09b521a30a353d222d8812bb2dd210333569ae21cdcc96f5bdbff37fbb520d60d52f99a5d69f2b8ca18b3ddf7e9a99bdb4ca0a8b29a416d402f360069b922ac0df62d8137520aa0ddc1982658968ecf2cb34ceaadaeabc71457cb511a53fd674c310125c736fb3304524e47f076f9afdc689f4c55ad610ca7698610cb598647db4de00cacd664b07cb2260f98d076f548d73fd35dd04cb1d29741b772e3d7dc3aefb069adc5164607f776eb3815c2cb1901c931d7e226035516860d61ab9108a962cadab67dfac49067c731ec90e8de073e3259e55b7abd6ad4e76da2945ffabb99df92fd01');
INSERT INTO old.objects VALUES (8388611, 7340035, '\x29e38689b0012d5ef6ce63550e2e0702acf7df0ef16f217159f92700f0904f6e', '\x010e404143d5784493b3db5ed8a7090d7ded9621548a004b45d3b6e182340ec4c7c6e1892c1830323032362d31312d31385431353a33313a32342e3036395a1a1d3a636b70742d32303236313131382d3135333132342d37343632643265391140417462d2e9b6fa91b81c69c940170e0cd964cb4e3260bba58491aad45da89b5eb1');
INSERT INTO old.objects VALUES (8388610, 7340034, '\x43d5784493b3db5ed8a7090d7ded9621548a004b45d3b6e182340ec4c7c6e189', '\x01114041118a6f9792cb20fd03c6c46a2a3b5e7289cf00a78f88d503f43ba77e3c5ea3941903063a387d');
INSERT INTO old.trails OVERRIDING SYSTEM VALUE VALUES (1, false, 'main', '\x29e38689b0012d5ef6ce63550e2e0702acf7df0ef16f217159f92700f0904f6e');
SELECT pg_catalog.setval('old.births', 8, true);
SELECT pg_catalog.setval('old.commits', 8, true);
SELECT pg_catalog.setval('old.trails_id_seq', 1, true);
ALTER TABLE ONLY old.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY old.forks
    ADD CONSTRAINT forks_pkey PRIMARY KEY (parent, trail);
ALTER TABLE ONLY old.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (chain, number);
ALTER TABLE ONLY old.log
    ADD CONSTRAINT log_place_chain_number_key UNIQUE (place, chain, number);
ALTER TABLE ONLY old.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (key);
ALTER TABLE ONLY old.objects
    ADD CONSTRAINT objects_number_key UNIQUE (number) WITH (fillfactor='100');
ALTER TABLE ONLY old.objects
    ADD CONSTRAINT objects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (checkpoint, key);
ALTER TABLE ONLY old.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (id);
ALTER TABLE ONLY old.trails
    ADD CONSTRAINT trails_name_key UNIQUE (name);
ALTER TABLE ONLY old.trails
    ADD CONSTRAINT trails_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX checkpoints_by_foreign_id ON old.checkpoints USING btree (trail, foreign_id) WHERE (foreign_id IS NOT NULL);
CREATE UNIQUE INDEX checkpoints_by_id ON old.checkpoints USING btree (id, trail);
CREATE INDEX checkpoints_of_trail ON old.checkpoints USING btree (trail, sequence);
CREATE INDEX forks_of_trail ON old.forks USING btree (trail);
CREATE INDEX records_that_wait ON old.records USING btree (waits_in) WHERE (waits_in IS NOT NULL);
