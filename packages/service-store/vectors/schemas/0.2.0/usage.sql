CREATE TABLE api_request (
    key_id text NOT NULL,
    time_ms bigint NOT NULL,
    id text NOT NULL,
    endpoint text NOT NULL,
    path text NOT NULL,
    chain_id text NOT NULL,
    status integer NOT NULL,
    milliseconds integer NOT NULL,
    credits bigint NOT NULL,
    address text NOT NULL,
    host text NOT NULL,
    user_agent text NOT NULL
);
CREATE TABLE api_usage (
    key_id text NOT NULL,
    minute bigint NOT NULL,
    chain_id text NOT NULL,
    endpoint text NOT NULL,
    status integer NOT NULL,
    milliseconds integer NOT NULL,
    requests bigint NOT NULL,
    credits bigint NOT NULL
);
CREATE TABLE bypass_token (
    hash bytea NOT NULL,
    hint text NOT NULL,
    name text NOT NULL,
    credits_per_second integer,
    created_at bigint NOT NULL,
    revoked_at bigint,
    added_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE job (
    id text NOT NULL,
    owner text,
    caller text NOT NULL,
    task text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    holder text NOT NULL,
    leased_until timestamp with time zone NOT NULL,
    progress text,
    is_done boolean,
    body text,
    finished_at timestamp with time zone
);
CREATE TABLE job_part (
    job_id text NOT NULL,
    sequence integer NOT NULL,
    bytes bytea NOT NULL,
    size integer NOT NULL,
    summary text
);
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
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
INSERT INTO kysely_migration VALUES ('0001_usage', '2026-11-28 15:04:43.344292+00');
INSERT INTO kysely_migration VALUES ('0002_added_at', '2026-11-28 15:04:43.344292+00');
INSERT INTO kysely_migration VALUES ('0003_exports', '2026-11-28 15:04:43.344292+00');
INSERT INTO kysely_migration VALUES ('0004_api_usage', '2026-11-28 15:04:43.344292+00');
ALTER TABLE ONLY api_request
    ADD CONSTRAINT api_request_pkey PRIMARY KEY (key_id, time_ms, id);
ALTER TABLE ONLY api_usage
    ADD CONSTRAINT api_usage_pkey PRIMARY KEY (key_id, minute, chain_id, endpoint, status, milliseconds);
ALTER TABLE ONLY bypass_token
    ADD CONSTRAINT bypass_token_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY job_part
    ADD CONSTRAINT job_part_pkey PRIMARY KEY (job_id, sequence);
ALTER TABLE ONLY job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY usage_load
    ADD CONSTRAINT usage_load_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (hour, chain_id, method, status, token, milliseconds);
ALTER TABLE ONLY usage_writer
    ADD CONSTRAINT usage_writer_pkey PRIMARY KEY (id);
CREATE INDEX api_request_time_ms_id_idx ON api_request USING btree (time_ms, id);
CREATE INDEX api_usage_minute_idx ON api_usage USING btree (minute);
CREATE UNIQUE INDEX bypass_token_name_idx ON bypass_token USING btree (name) WHERE (revoked_at IS NULL);
CREATE INDEX job_finished_at_idx ON job USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX job_leased_until_idx ON job USING btree (leased_until) WHERE (finished_at IS NULL);
