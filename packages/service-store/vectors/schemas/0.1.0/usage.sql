CREATE TABLE bypass_token (
    hash bytea NOT NULL,
    hint text NOT NULL,
    name text NOT NULL,
    credits_per_second integer,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE usage (
    hour bigint NOT NULL,
    chain_id text NOT NULL,
    method text NOT NULL,
    status integer NOT NULL,
    token text NOT NULL,
    milliseconds integer NOT NULL,
    requests bigint NOT NULL,
    credits bigint NOT NULL
);
CREATE TABLE usage_load (
    digest bytea NOT NULL,
    lines bigint NOT NULL
);
CREATE TABLE usage_writer (
    id bytea NOT NULL,
    sequence bigint NOT NULL
);
INSERT INTO kysely_migration VALUES ('0001_usage', '2026-11-22T07:33:33.203Z');
INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0);
ALTER TABLE ONLY bypass_token
    ADD CONSTRAINT bypass_token_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY usage_load
    ADD CONSTRAINT usage_load_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (hour, chain_id, method, status, token, milliseconds);
ALTER TABLE ONLY usage_writer
    ADD CONSTRAINT usage_writer_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX bypass_token_name_idx ON bypass_token USING btree (name) WHERE (revoked_at IS NULL);
