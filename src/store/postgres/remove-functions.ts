/**
 * A removal in two calls, because commits wait meanwhile: what is asked for, with all that decides whether it may go; then
 * its end. Both look only at what is asked for. Whether a trail becomes empty is all that its number of places decides, so
 * one more than are asked for stands for all the rest.
 */
export const REMOVE = `
  CREATE FUNCTION @candidates(p_ids bytea[], p_trails text[], p_pin text) RETURNS TABLE(
    sequence bigint, id bytea, trail text, "isHead" boolean, "isPinned" boolean, "forkedBy" text[], places bigint
  ) LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @enter(true);
    RETURN QUERY WITH asked AS (
      SELECT c.sequence, c.trail FROM @checkpoints AS c WHERE c.id = ANY (p_ids)
      UNION SELECT c.sequence, c.trail FROM @trails AS t JOIN @checkpoints AS c ON c.trail = t.id WHERE t.name = ANY (p_trails)
    ), counted AS (
      SELECT w.trail, (
        SELECT count(*) FROM (SELECT 1 FROM @checkpoints AS c WHERE c.trail = w.trail LIMIT w.most) AS few
      ) AS places FROM (SELECT a.trail, count(*) + 1 AS most FROM asked AS a GROUP BY a.trail) AS w
    )
    SELECT c.sequence, c.id, t.name, t.head IS NOT DISTINCT FROM c.id,
      EXISTS (SELECT 1 FROM @records AS r WHERE r.checkpoint = c.id AND starts_with(r.key, p_pin)),
      ARRAY(SELECT f2.name FROM @forks AS f JOIN @trails AS f2 ON f2.id = f.trail WHERE f.parent = c.id), n.places
    FROM asked AS a JOIN @checkpoints AS c ON c.sequence = a.sequence JOIN @trails AS t ON t.id = c.trail
      JOIN counted AS n ON n.trail = c.trail
    ORDER BY c.sequence;
  END $$;

  CREATE FUNCTION @take_out(p_sequences bigint[], p_doomed text[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_gone @checkpoints[];
    v_trails int[];
  BEGIN
    -- A trail that nobody sees is not remembered, nor is one without checkpoints.
    UPDATE @trails AS t SET head = NULL, removed = t.removed OR left(t.name, 1) <> '.'
      AND EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.trail = t.id) WHERE t.name = ANY (p_doomed);
    DELETE FROM @records WHERE waits_in IN (SELECT t.id FROM @trails AS t WHERE t.name = ANY (p_doomed));
    WITH gone AS (DELETE FROM @checkpoints AS c WHERE c.sequence = ANY (p_sequences) RETURNING c)
      SELECT array_agg(c ORDER BY (c).sequence DESC), array_agg(DISTINCT (c).trail) INTO v_gone, v_trails FROM gone;
    IF v_gone IS NULL THEN RETURN; END IF;
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
  END $$;
`;
