/** A plan that was made while the tables were empty would scan them for ever: sequential scans are off, and so is compiling. */
export const SETTINGS =
  "LANGUAGE plpgsql SET enable_seqscan = off SET jit = off SET search_path = pg_catalog";
