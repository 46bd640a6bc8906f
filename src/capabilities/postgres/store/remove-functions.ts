/**
 * A removal in two calls: what is asked for, with all that decides whether it may go; then its end, while commits wait. Both
 * look only at what is asked for. Whether a trail becomes empty is all that its number of places decides, so one more than are
 * asked for stands for all the rest.
 */
export const REMOVE = `
  CREATE FUNCTION @candidates(p_ids bytea[], p_trails text[], p_pin text) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    RETURN (WITH asked AS (
      SELECT c.* FROM @checkpoints AS c WHERE c.id = ANY (p_ids)
      UNION SELECT c.* FROM @trails AS t JOIN @checkpoints AS c ON c.trail = t.id WHERE t.name = ANY (p_trails)
    ), counted AS (
      SELECT w.trail, (
        SELECT count(*) FROM (SELECT 1 FROM @checkpoints AS c WHERE c.trail = w.trail LIMIT w.most) AS few
      ) AS places FROM (SELECT a.trail, count(*) + 1 AS most FROM asked AS a GROUP BY a.trail) AS w
    )
    SELECT json_agg(json_build_object(
      'sequence', c.sequence, 'id', encode(c.id, 'hex'), 'trail', t.name, 'isHead', t.head IS NOT DISTINCT FROM c.id,
      'isPinned', EXISTS (SELECT 1 FROM @records AS r WHERE r.checkpoint = c.id AND starts_with(r.key, p_pin)),
      'forkedBy', ARRAY(
        SELECT f2.name FROM @forks AS f JOIN @trails AS f2 ON f2.id = f.trail WHERE f.parent = c.id ORDER BY f2.name
      ), 'places', n.places
    ) ORDER BY c.sequence)
    FROM asked AS c JOIN @trails AS t ON t.id = c.trail JOIN counted AS n ON n.trail = c.trail);
  END $$;

  -- False, and nothing is done, when the candidates are not the ones that were planned with.
  CREATE FUNCTION @take_out(p_ids bytea[], p_doomed text[], p_pin text, p_seen text, p_sequences bigint[])
  RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    v_gone @checkpoints[];
    v_trails int[];
  BEGIN
    PERFORM @enter(true);
    IF @candidates(p_ids, p_doomed, p_pin) IS DISTINCT FROM p_seen THEN RETURN false; END IF;
    -- A trail that nobody sees is not remembered, nor is one without checkpoints.
    UPDATE @trails AS t SET head = NULL, removed = t.removed OR left(t.name, 1) <> '.'
      AND EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.trail = t.id) WHERE t.name = ANY (p_doomed);
    DELETE FROM @records WHERE waits_in IN (SELECT t.id FROM @trails AS t WHERE t.name = ANY (p_doomed));
    WITH gone AS (DELETE FROM @checkpoints AS c WHERE c.sequence = ANY (p_sequences) RETURNING c)
      SELECT array_agg(c ORDER BY (c).sequence DESC), array_agg(DISTINCT (c).trail) INTO v_gone, v_trails FROM gone;
    DELETE FROM @forks AS f WHERE f.trail = ANY (v_trails)
      AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.trail = f.trail);
    -- The same checkpoint may still stand in another trail.
    DELETE FROM @records AS r WHERE r.checkpoint IN (SELECT g.id FROM unnest(v_gone) AS g)
      AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = r.checkpoint);
    -- One tombstone stands for a whole trail.
    INSERT INTO @tombstones(id, parent, created, trail)
      SELECT DISTINCT ON (g.id) g.id, g.parent, g.created, t.name
      FROM unnest(v_gone) AS g JOIN @trails AS t ON t.id = g.trail
      WHERE left(t.name, 1) <> '.' AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = g.id)
        AND (t.name <> ALL (p_doomed) OR EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.trail = g.trail))
      ORDER BY g.id, g.sequence DESC
      ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, created = excluded.created, trail = excluded.trail;
    RETURN true;
  END $$;
`;
