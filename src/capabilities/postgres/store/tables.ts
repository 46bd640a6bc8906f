/**
 * The tables of a store, in a schema of their own; `@` stands for the schema. Names compare by their UTF-8 bytes, as in every
 * store. Objects are compressed before they come, so PostgreSQL need not try, nor move what fits on a page elsewhere. An object's number is that of its birth, which
 * all objects of a commit share, times 2^20, and its place in the commit: children come before parents. Records that wait
 * for a checkpoint in a trail belong to a hash of its foreign name instead of its id. Numbers only rise: their index needs no room in between.
 * The log's own chain has no name; an entry's place is its number there, or the number of the one that it follows.
 */
export const TABLES = `
  CREATE SEQUENCE @births;
  CREATE SEQUENCE @commits;
  CREATE TABLE @objects(number bigint NOT NULL UNIQUE WITH (fillfactor = 100), base bigint, id bytea PRIMARY KEY, data bytea NOT NULL);
  ALTER TABLE @objects ALTER data SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);
  CREATE TABLE @trails(
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, removed boolean NOT NULL DEFAULT false,
    name text COLLATE "C" NOT NULL UNIQUE, head bytea
  ) WITH (fillfactor = 50);
  CREATE TABLE @checkpoints(
    sequence bigint PRIMARY KEY, created double precision NOT NULL, trail integer NOT NULL, id bytea NOT NULL,
    parent bytea, foreign_id text COLLATE "C"
  );
  CREATE UNIQUE INDEX checkpoints_by_id ON @checkpoints(id, trail);
  CREATE INDEX checkpoints_of_trail ON @checkpoints(trail, sequence);
  CREATE UNIQUE INDEX checkpoints_by_foreign_id ON @checkpoints(trail, foreign_id) WHERE foreign_id IS NOT NULL;
  CREATE TABLE @forks(trail integer NOT NULL, parent bytea NOT NULL, PRIMARY KEY (parent, trail));
  CREATE INDEX forks_of_trail ON @forks(trail);
  CREATE TABLE @records(
    checkpoint bytea NOT NULL, key text COLLATE "C" NOT NULL, hash bytea NOT NULL, value bytea NOT NULL, waits_in integer,
    PRIMARY KEY (checkpoint, key)
  );
  CREATE INDEX records_that_wait ON @records(waits_in) WHERE waits_in IS NOT NULL;
  CREATE TABLE @log(
    place bigint NOT NULL, number bigint NOT NULL, chain text COLLATE "C" NOT NULL, hash text NOT NULL, entry json NOT NULL,
    PRIMARY KEY (chain, number), UNIQUE (place, chain, number), CHECK (number > 0 AND place > 0 AND (chain <> '' OR place = number))
  );
  CREATE TABLE @tombstones(
    id bytea PRIMARY KEY, parent bytea, created double precision NOT NULL, trail text COLLATE "C" NOT NULL
  );
`;
