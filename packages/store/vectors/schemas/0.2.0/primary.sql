CREATE TABLE api_key (
    hash bytea NOT NULL,
    hint text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    units_per_minute integer,
    units_per_day integer,
    created_at bigint NOT NULL,
    revoked_at bigint,
    added_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE asset (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL,
    name text NOT NULL,
    symbol text NOT NULL,
    denomination integer NOT NULL
);
CREATE TABLE block (
    chain text NOT NULL,
    height bigint NOT NULL,
    id bytea NOT NULL,
    parent_id bytea NOT NULL,
    "time" bigint NOT NULL,
    container_id bytea,
    container bytea NOT NULL,
    inner_offset integer NOT NULL,
    inner_length integer NOT NULL,
    accepted_at bigint,
    transactions integer NOT NULL,
    state bytea,
    digest bytea NOT NULL
)
PARTITION BY LIST (chain);
ALTER TABLE ONLY block ALTER COLUMN container SET STORAGE EXTERNAL;
CREATE TABLE block_c (
    chain text NOT NULL,
    height bigint NOT NULL,
    id bytea NOT NULL,
    parent_id bytea NOT NULL,
    "time" bigint NOT NULL,
    container_id bytea,
    container bytea NOT NULL,
    inner_offset integer NOT NULL,
    inner_length integer NOT NULL,
    accepted_at bigint,
    transactions integer NOT NULL,
    state bytea,
    digest bytea NOT NULL
)
PARTITION BY RANGE (height);
ALTER TABLE ONLY block_c ALTER COLUMN container SET STORAGE EXTERNAL;
CREATE TABLE block_p (
    chain text NOT NULL,
    height bigint NOT NULL,
    id bytea NOT NULL,
    parent_id bytea NOT NULL,
    "time" bigint NOT NULL,
    container_id bytea,
    container bytea NOT NULL,
    inner_offset integer NOT NULL,
    inner_length integer NOT NULL,
    accepted_at bigint,
    transactions integer NOT NULL,
    state bytea,
    digest bytea NOT NULL
)
PARTITION BY RANGE (height);
ALTER TABLE ONLY block_p ALTER COLUMN container SET STORAGE EXTERNAL;
CREATE TABLE block_x (
    chain text NOT NULL,
    height bigint NOT NULL,
    id bytea NOT NULL,
    parent_id bytea NOT NULL,
    "time" bigint NOT NULL,
    container_id bytea,
    container bytea NOT NULL,
    inner_offset integer NOT NULL,
    inner_length integer NOT NULL,
    accepted_at bigint,
    transactions integer NOT NULL,
    state bytea,
    digest bytea NOT NULL
)
PARTITION BY RANGE (height);
ALTER TABLE ONLY block_x ALTER COLUMN container SET STORAGE EXTERNAL;
CREATE TABLE blockchain (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL,
    subnet_id bytea NOT NULL,
    created_height bigint NOT NULL,
    created_ordinal integer NOT NULL
);
CREATE TABLE burned (
    chain text NOT NULL,
    day bigint NOT NULL,
    fee numeric(20,0) NOT NULL,
    deposited numeric(20,0) NOT NULL
);
CREATE TABLE check_result (
    kind text NOT NULL,
    finished_at bigint NOT NULL,
    milliseconds bigint NOT NULL,
    is_complete boolean NOT NULL,
    finding_count integer NOT NULL,
    findings text[] NOT NULL
);
CREATE TABLE cursor (
    chain text NOT NULL,
    height bigint NOT NULL,
    block_id bytea NOT NULL,
    "time" bigint NOT NULL,
    derived bigint,
    rewarded bigint
);
CREATE TABLE expiry (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE fetched_block (
    chain text NOT NULL,
    height bigint NOT NULL,
    id bytea NOT NULL,
    parent_id bytea NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY fetched_block ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE fetched_vertex (
    id bytea NOT NULL,
    height bigint NOT NULL,
    parent_ids bytea[] NOT NULL,
    bytes bytea NOT NULL,
    accepted_at bigint
);
ALTER TABLE ONLY fetched_vertex ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE l1_validator (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL,
    subnet_id bytea NOT NULL,
    node_id bytea NOT NULL,
    weight numeric(20,0) NOT NULL,
    active boolean NOT NULL,
    end_accumulated_fee numeric(20,0) NOT NULL
);
CREATE TABLE lease (
    holder text,
    expires_at timestamp with time zone
);
CREATE TABLE member (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL,
    subnet_id bytea NOT NULL,
    node_id bytea NOT NULL,
    weight numeric(20,0) NOT NULL,
    public_key bytea
);
CREATE TABLE network (
    network_id bigint NOT NULL,
    genesis bytea NOT NULL,
    genesis_id bytea NOT NULL,
    upgrades jsonb,
    settings jsonb NOT NULL,
    follows_c_chain boolean DEFAULT true NOT NULL,
    follows_x_chain boolean DEFAULT true NOT NULL
);
CREATE TABLE proposal (
    chain text NOT NULL,
    node_id bytea NOT NULL,
    height bigint NOT NULL
);
CREATE TABLE rewarded (
    chain text NOT NULL,
    address bytea NOT NULL,
    name text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE secret (
    name text NOT NULL,
    value bytea NOT NULL
);
CREATE TABLE staker (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL,
    subnet_id bytea NOT NULL,
    node_id bytea NOT NULL,
    role text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    priority integer NOT NULL,
    start_time bigint NOT NULL,
    end_time bigint NOT NULL,
    weight numeric(20,0) NOT NULL,
    stake_addresses bytea[] NOT NULL,
    reward_addresses bytea[] NOT NULL
);
CREATE TABLE subnet (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL,
    created_height bigint NOT NULL,
    created_ordinal integer NOT NULL
);
CREATE TABLE supply (
    key bytea NOT NULL,
    since bigint NOT NULL,
    until bigint,
    ordinal integer NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE transaction (
    chain text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL,
    id bytea NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    decided_height bigint NOT NULL,
    bytes bytea NOT NULL
)
PARTITION BY LIST (chain);
ALTER TABLE ONLY transaction ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE transaction_address (
    chain text NOT NULL,
    address bytea NOT NULL,
    name text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL
)
PARTITION BY LIST (chain);
CREATE TABLE transaction_address_c (
    chain text NOT NULL,
    address bytea NOT NULL,
    name text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE transaction_address_p (
    chain text NOT NULL,
    address bytea NOT NULL,
    name text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE transaction_address_x (
    chain text NOT NULL,
    address bytea NOT NULL,
    name text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE transaction_c (
    chain text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL,
    id bytea NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    decided_height bigint NOT NULL,
    bytes bytea NOT NULL
)
PARTITION BY RANGE (height);
ALTER TABLE ONLY transaction_c ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE transaction_p (
    chain text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL,
    id bytea NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    decided_height bigint NOT NULL,
    bytes bytea NOT NULL
)
PARTITION BY RANGE (height);
ALTER TABLE ONLY transaction_p ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE transaction_x (
    chain text NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL,
    id bytea NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    decided_height bigint NOT NULL,
    bytes bytea NOT NULL
)
PARTITION BY RANGE (height);
ALTER TABLE ONLY transaction_x ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE underived (
    name text NOT NULL,
    chain text NOT NULL,
    until bigint NOT NULL,
    height bigint NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE utxo (
    id bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    "time" bigint NOT NULL,
    tx_id bytea NOT NULL,
    output_index integer NOT NULL,
    asset_id bytea NOT NULL,
    output bytea NOT NULL,
    output_type integer NOT NULL,
    amount numeric(20,0),
    locktime numeric(20,0) NOT NULL,
    stakeable_locktime numeric(20,0),
    threshold integer NOT NULL,
    addresses bytea[] NOT NULL,
    origin text NOT NULL,
    reward_tx_id bytea,
    consumed_height bigint,
    consumed_tx_id bytea,
    consumed_time bigint
)
PARTITION BY LIST (source);
CREATE TABLE utxo_address (
    address bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    id bytea NOT NULL,
    consumed_height bigint
)
PARTITION BY LIST (source);
CREATE TABLE utxo_address_c (
    address bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    id bytea NOT NULL,
    consumed_height bigint
)
PARTITION BY RANGE (height);
CREATE TABLE utxo_address_p (
    address bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    id bytea NOT NULL,
    consumed_height bigint
)
PARTITION BY RANGE (height);
CREATE TABLE utxo_address_x (
    address bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    id bytea NOT NULL,
    consumed_height bigint
)
PARTITION BY RANGE (height);
CREATE TABLE utxo_c (
    id bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    "time" bigint NOT NULL,
    tx_id bytea NOT NULL,
    output_index integer NOT NULL,
    asset_id bytea NOT NULL,
    output bytea NOT NULL,
    output_type integer NOT NULL,
    amount numeric(20,0),
    locktime numeric(20,0) NOT NULL,
    stakeable_locktime numeric(20,0),
    threshold integer NOT NULL,
    addresses bytea[] NOT NULL,
    origin text NOT NULL,
    reward_tx_id bytea,
    consumed_height bigint,
    consumed_tx_id bytea,
    consumed_time bigint
)
PARTITION BY RANGE (height);
CREATE TABLE utxo_p (
    id bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    "time" bigint NOT NULL,
    tx_id bytea NOT NULL,
    output_index integer NOT NULL,
    asset_id bytea NOT NULL,
    output bytea NOT NULL,
    output_type integer NOT NULL,
    amount numeric(20,0),
    locktime numeric(20,0) NOT NULL,
    stakeable_locktime numeric(20,0),
    threshold integer NOT NULL,
    addresses bytea[] NOT NULL,
    origin text NOT NULL,
    reward_tx_id bytea,
    consumed_height bigint,
    consumed_tx_id bytea,
    consumed_time bigint
)
PARTITION BY RANGE (height);
CREATE TABLE utxo_x (
    id bytea NOT NULL,
    chain text NOT NULL,
    source text NOT NULL,
    height bigint NOT NULL,
    ordinal integer NOT NULL,
    "time" bigint NOT NULL,
    tx_id bytea NOT NULL,
    output_index integer NOT NULL,
    asset_id bytea NOT NULL,
    output bytea NOT NULL,
    output_type integer NOT NULL,
    amount numeric(20,0),
    locktime numeric(20,0) NOT NULL,
    stakeable_locktime numeric(20,0),
    threshold integer NOT NULL,
    addresses bytea[] NOT NULL,
    origin text NOT NULL,
    reward_tx_id bytea,
    consumed_height bigint,
    consumed_tx_id bytea,
    consumed_time bigint
)
PARTITION BY RANGE (height);
CREATE TABLE vertex (
    "position" integer NOT NULL,
    id bytea NOT NULL,
    height bigint NOT NULL,
    parent_ids bytea[] NOT NULL,
    bytes bytea NOT NULL,
    accepted_at bigint
);
ALTER TABLE ONLY vertex ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE vertex_transaction (
    vertex integer NOT NULL,
    ordinal integer NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE waiting_transaction (
    "position" integer NOT NULL,
    ordinal integer NOT NULL,
    id bytea NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY waiting_transaction ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE webhook (
    id text NOT NULL,
    owner bytea NOT NULL,
    source text NOT NULL,
    event_type text NOT NULL,
    chain text NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    is_active boolean NOT NULL,
    inactive_reason text,
    created_at bigint NOT NULL,
    settings jsonb NOT NULL,
    from_sequence bigint NOT NULL,
    "position" bigint NOT NULL,
    revision bigint NOT NULL,
    secret_encoding text DEFAULT 'text'::text NOT NULL
);
CREATE TABLE webhook_delivery (
    webhook_id text NOT NULL,
    sequence bigint NOT NULL,
    "position" integer NOT NULL,
    source text NOT NULL,
    event_sequence bigint NOT NULL,
    event_position integer NOT NULL,
    is_removal boolean NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    created_ms bigint NOT NULL,
    first_attempt_ms bigint,
    attempted_ms bigint,
    status integer,
    failure text
);
CREATE TABLE webhook_event (
    source text NOT NULL,
    sequence bigint NOT NULL,
    "position" integer NOT NULL,
    height bigint NOT NULL,
    block_hash bytea NOT NULL,
    body text NOT NULL,
    created_ms bigint NOT NULL
);
CREATE TABLE webhook_key (
    webhook_id text NOT NULL,
    key bytea NOT NULL
);
CREATE TABLE webhook_queue (
    webhook_id text NOT NULL,
    host text NOT NULL,
    due_ms bigint,
    claimed_by text,
    claimed_until timestamp with time zone,
    failures integer NOT NULL,
    failing_since_ms bigint
)
WITH (fillfactor='70');
CREATE TABLE webhook_revision (
    id integer NOT NULL,
    revision bigint NOT NULL
);
CREATE TABLE webhook_secret (
    owner bytea NOT NULL,
    secret text NOT NULL
);
CREATE TABLE webhook_source (
    source text NOT NULL,
    sequence bigint NOT NULL,
    settled bigint,
    holder text,
    expires_at timestamp with time zone
);
CREATE TABLE writer (
    fence bigint NOT NULL
);
ALTER TABLE ONLY block ATTACH PARTITION block_c FOR VALUES IN ('C');
ALTER TABLE ONLY block ATTACH PARTITION block_p FOR VALUES IN ('P');
ALTER TABLE ONLY block ATTACH PARTITION block_x FOR VALUES IN ('X');
ALTER TABLE ONLY transaction_address ATTACH PARTITION transaction_address_c FOR VALUES IN ('C');
ALTER TABLE ONLY transaction_address ATTACH PARTITION transaction_address_p FOR VALUES IN ('P');
ALTER TABLE ONLY transaction_address ATTACH PARTITION transaction_address_x FOR VALUES IN ('X');
ALTER TABLE ONLY transaction ATTACH PARTITION transaction_c FOR VALUES IN ('C');
ALTER TABLE ONLY transaction ATTACH PARTITION transaction_p FOR VALUES IN ('P');
ALTER TABLE ONLY transaction ATTACH PARTITION transaction_x FOR VALUES IN ('X');
ALTER TABLE ONLY utxo_address ATTACH PARTITION utxo_address_c FOR VALUES IN ('C');
ALTER TABLE ONLY utxo_address ATTACH PARTITION utxo_address_p FOR VALUES IN ('P');
ALTER TABLE ONLY utxo_address ATTACH PARTITION utxo_address_x FOR VALUES IN ('X');
ALTER TABLE ONLY utxo ATTACH PARTITION utxo_c FOR VALUES IN ('C');
ALTER TABLE ONLY utxo ATTACH PARTITION utxo_p FOR VALUES IN ('P');
ALTER TABLE ONLY utxo ATTACH PARTITION utxo_x FOR VALUES IN ('X');
INSERT INTO kysely_migration VALUES ('0001_tables', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0002_services', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0003_lists', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0004_staking', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0005_stakers', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0006_assets', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0007_lease', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0008_added_at', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0009_fetched_block', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0010_vertices', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0011_fetched_vertex', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0012_follows_c_chain', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0013_follows_x_chain', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0014_webhooks', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0015_derived', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0016_locked', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0017_check_results', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0018_secret_encoding', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0019_vertex_times', '2026-11-28 15:04:42.472733+00');
INSERT INTO kysely_migration VALUES ('0020_rewarded', '2026-11-28 15:04:42.472733+00');
INSERT INTO lease VALUES (NULL, NULL);
INSERT INTO writer VALUES (0);
ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY asset
    ADD CONSTRAINT asset_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY block
    ADD CONSTRAINT block_pkey PRIMARY KEY (chain, height);
ALTER TABLE ONLY block_c
    ADD CONSTRAINT block_c_pkey PRIMARY KEY (chain, height);
ALTER TABLE ONLY block_p
    ADD CONSTRAINT block_p_pkey PRIMARY KEY (chain, height);
ALTER TABLE ONLY block_x
    ADD CONSTRAINT block_x_pkey PRIMARY KEY (chain, height);
ALTER TABLE ONLY blockchain
    ADD CONSTRAINT blockchain_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY burned
    ADD CONSTRAINT burned_pkey PRIMARY KEY (chain, day);
ALTER TABLE ONLY check_result
    ADD CONSTRAINT check_result_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY cursor
    ADD CONSTRAINT cursor_pkey PRIMARY KEY (chain);
ALTER TABLE ONLY expiry
    ADD CONSTRAINT expiry_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY fetched_block
    ADD CONSTRAINT fetched_block_pkey PRIMARY KEY (chain, height);
ALTER TABLE ONLY fetched_vertex
    ADD CONSTRAINT fetched_vertex_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY l1_validator
    ADD CONSTRAINT l1_validator_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY member
    ADD CONSTRAINT member_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY network
    ADD CONSTRAINT network_pkey PRIMARY KEY (network_id);
ALTER TABLE ONLY proposal
    ADD CONSTRAINT proposal_pkey PRIMARY KEY (node_id, chain, height);
ALTER TABLE ONLY rewarded
    ADD CONSTRAINT rewarded_pkey PRIMARY KEY (address, height, "position", chain);
ALTER TABLE ONLY secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY staker
    ADD CONSTRAINT staker_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY subnet
    ADD CONSTRAINT subnet_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY supply
    ADD CONSTRAINT supply_pkey PRIMARY KEY (key, since);
ALTER TABLE ONLY transaction_address
    ADD CONSTRAINT transaction_address_pkey PRIMARY KEY (address, height, "position", chain);
ALTER TABLE ONLY transaction_address_c
    ADD CONSTRAINT transaction_address_c_pkey PRIMARY KEY (address, height, "position", chain);
ALTER TABLE ONLY transaction_address_p
    ADD CONSTRAINT transaction_address_p_pkey PRIMARY KEY (address, height, "position", chain);
ALTER TABLE ONLY transaction_address_x
    ADD CONSTRAINT transaction_address_x_pkey PRIMARY KEY (address, height, "position", chain);
ALTER TABLE ONLY transaction
    ADD CONSTRAINT transaction_pkey PRIMARY KEY (chain, height, "position");
ALTER TABLE ONLY transaction_c
    ADD CONSTRAINT transaction_c_pkey PRIMARY KEY (chain, height, "position");
ALTER TABLE ONLY transaction_p
    ADD CONSTRAINT transaction_p_pkey PRIMARY KEY (chain, height, "position");
ALTER TABLE ONLY transaction_x
    ADD CONSTRAINT transaction_x_pkey PRIMARY KEY (chain, height, "position");
ALTER TABLE ONLY underived
    ADD CONSTRAINT underived_pkey PRIMARY KEY (name, chain);
ALTER TABLE ONLY utxo_address
    ADD CONSTRAINT utxo_address_pkey PRIMARY KEY (source, height, ordinal, address);
ALTER TABLE ONLY utxo_address_c
    ADD CONSTRAINT utxo_address_c_pkey PRIMARY KEY (source, height, ordinal, address);
ALTER TABLE ONLY utxo_address_p
    ADD CONSTRAINT utxo_address_p_pkey PRIMARY KEY (source, height, ordinal, address);
ALTER TABLE ONLY utxo_address_x
    ADD CONSTRAINT utxo_address_x_pkey PRIMARY KEY (source, height, ordinal, address);
ALTER TABLE ONLY utxo
    ADD CONSTRAINT utxo_pkey PRIMARY KEY (source, height, ordinal);
ALTER TABLE ONLY utxo_c
    ADD CONSTRAINT utxo_c_pkey PRIMARY KEY (source, height, ordinal);
ALTER TABLE ONLY utxo_p
    ADD CONSTRAINT utxo_p_pkey PRIMARY KEY (source, height, ordinal);
ALTER TABLE ONLY utxo_x
    ADD CONSTRAINT utxo_x_pkey PRIMARY KEY (source, height, ordinal);
ALTER TABLE ONLY vertex
    ADD CONSTRAINT vertex_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY vertex_transaction
    ADD CONSTRAINT vertex_transaction_pkey PRIMARY KEY (vertex, ordinal);
ALTER TABLE ONLY waiting_transaction
    ADD CONSTRAINT waiting_transaction_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (webhook_id, sequence, "position");
ALTER TABLE ONLY webhook_event
    ADD CONSTRAINT webhook_event_pkey PRIMARY KEY (source, sequence, "position");
ALTER TABLE ONLY webhook_key
    ADD CONSTRAINT webhook_key_pkey PRIMARY KEY (webhook_id, key);
ALTER TABLE ONLY webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhook_queue
    ADD CONSTRAINT webhook_queue_pkey PRIMARY KEY (webhook_id);
ALTER TABLE ONLY webhook_revision
    ADD CONSTRAINT webhook_revision_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhook_secret
    ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (owner);
ALTER TABLE ONLY webhook_source
    ADD CONSTRAINT webhook_source_pkey PRIMARY KEY (source);
CREATE UNIQUE INDEX asset_key_idx ON asset USING btree (key) WHERE (until IS NULL);
CREATE INDEX asset_until_idx ON asset USING btree (until);
CREATE INDEX block_container_id_idx ON ONLY block USING btree (container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX block_c_container_id_idx ON ONLY block_c USING btree (container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX block_id_idx ON ONLY block USING btree (id);
CREATE INDEX block_c_id_idx ON ONLY block_c USING btree (id);
CREATE INDEX block_time_height_idx ON ONLY block USING btree ("time", height);
CREATE INDEX block_c_time_height_idx ON ONLY block_c USING btree ("time", height);
CREATE INDEX block_p_container_id_idx ON ONLY block_p USING btree (container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX block_p_id_idx ON ONLY block_p USING btree (id);
CREATE INDEX block_p_time_height_idx ON ONLY block_p USING btree ("time", height);
CREATE INDEX block_x_container_id_idx ON ONLY block_x USING btree (container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX block_x_id_idx ON ONLY block_x USING btree (id);
CREATE INDEX block_x_time_height_idx ON ONLY block_x USING btree ("time", height);
CREATE INDEX blockchain_created_height_created_ordinal_idx ON blockchain USING btree (created_height DESC, created_ordinal DESC);
CREATE UNIQUE INDEX blockchain_key_idx ON blockchain USING btree (key) WHERE (until IS NULL);
CREATE INDEX blockchain_subnet_id_idx ON blockchain USING btree (subnet_id);
CREATE INDEX blockchain_until_idx ON blockchain USING btree (until);
CREATE UNIQUE INDEX expiry_key_idx ON expiry USING btree (key) WHERE (until IS NULL);
CREATE INDEX expiry_until_idx ON expiry USING btree (until);
CREATE INDEX fetched_block_id_idx ON fetched_block USING btree (id);
CREATE INDEX fetched_vertex_height_id_idx ON fetched_vertex USING btree (height, id);
CREATE UNIQUE INDEX l1_validator_key_idx ON l1_validator USING btree (key) WHERE (until IS NULL);
CREATE INDEX l1_validator_key_since_idx ON l1_validator USING btree (key, since DESC);
CREATE INDEX l1_validator_node_id_idx ON l1_validator USING btree (node_id);
CREATE INDEX l1_validator_subnet_id_node_id_idx ON l1_validator USING btree (subnet_id, node_id);
CREATE INDEX l1_validator_until_idx ON l1_validator USING btree (until);
CREATE UNIQUE INDEX member_key_idx ON member USING btree (key) WHERE (until IS NULL);
CREATE INDEX member_subnet_id_until_idx ON member USING btree (subnet_id, until);
CREATE INDEX member_until_idx ON member USING btree (until);
CREATE INDEX rewarded_address_name_height_position_idx ON rewarded USING btree (address, name, height, "position");
CREATE UNIQUE INDEX staker_key_idx ON staker USING btree (key) WHERE (until IS NULL);
CREATE INDEX staker_node_id_role_until_idx ON staker USING btree (node_id, role, until);
CREATE INDEX staker_reward_addresses_idx ON staker USING gin (reward_addresses);
CREATE INDEX staker_role_start_time_key_idx ON staker USING btree (role, start_time, key) WHERE (until IS NULL);
CREATE INDEX staker_role_start_time_key_idx1 ON staker USING btree (role, start_time, key) WHERE (until IS NOT NULL);
CREATE INDEX staker_stake_addresses_idx ON staker USING gin (stake_addresses);
CREATE INDEX staker_start_time_idx ON staker USING btree (start_time) WHERE (until IS NULL);
CREATE INDEX staker_start_time_key_idx ON staker USING btree (start_time, key) WHERE ((until IS NOT NULL) AND (kind = 'permissioned'::text));
CREATE INDEX staker_subnet_id_node_id_idx ON staker USING btree (subnet_id, node_id);
CREATE INDEX staker_until_idx ON staker USING btree (until);
CREATE INDEX subnet_created_height_created_ordinal_idx ON subnet USING btree (created_height DESC, created_ordinal DESC);
CREATE UNIQUE INDEX subnet_key_idx ON subnet USING btree (key) WHERE (until IS NULL);
CREATE INDEX subnet_until_idx ON subnet USING btree (until);
CREATE UNIQUE INDEX supply_key_idx ON supply USING btree (key) WHERE (until IS NULL);
CREATE INDEX supply_until_idx ON supply USING btree (until);
CREATE INDEX transaction_address_address_name_height_position_idx ON ONLY transaction_address USING btree (address, name, height, "position");
CREATE INDEX transaction_address_c_address_name_height_position_idx ON ONLY transaction_address_c USING btree (address, name, height, "position");
CREATE INDEX transaction_address_p_address_name_height_position_idx ON ONLY transaction_address_p USING btree (address, name, height, "position");
CREATE INDEX transaction_address_x_address_name_height_position_idx ON ONLY transaction_address_x USING btree (address, name, height, "position");
CREATE INDEX transaction_id_idx ON ONLY transaction USING btree (id);
CREATE INDEX transaction_c_id_idx ON ONLY transaction_c USING btree (id);
CREATE INDEX transaction_name_height_position_idx ON ONLY transaction USING btree (name, height, "position") WHERE (name = ANY (ARRAY['AddValidatorTx'::text, 'AddDelegatorTx'::text, 'AddSubnetValidatorTx'::text, 'AddPermissionlessValidatorTx'::text, 'AddPermissionlessDelegatorTx'::text, 'AddAutoRenewedValidatorTx'::text]));
CREATE INDEX transaction_c_name_height_position_idx ON ONLY transaction_c USING btree (name, height, "position") WHERE (name = ANY (ARRAY['AddValidatorTx'::text, 'AddDelegatorTx'::text, 'AddSubnetValidatorTx'::text, 'AddPermissionlessValidatorTx'::text, 'AddPermissionlessDelegatorTx'::text, 'AddAutoRenewedValidatorTx'::text]));
CREATE INDEX transaction_p_id_idx ON ONLY transaction_p USING btree (id);
CREATE INDEX transaction_p_name_height_position_idx ON ONLY transaction_p USING btree (name, height, "position") WHERE (name = ANY (ARRAY['AddValidatorTx'::text, 'AddDelegatorTx'::text, 'AddSubnetValidatorTx'::text, 'AddPermissionlessValidatorTx'::text, 'AddPermissionlessDelegatorTx'::text, 'AddAutoRenewedValidatorTx'::text]));
CREATE INDEX transaction_x_id_idx ON ONLY transaction_x USING btree (id);
CREATE INDEX transaction_x_name_height_position_idx ON ONLY transaction_x USING btree (name, height, "position") WHERE (name = ANY (ARRAY['AddValidatorTx'::text, 'AddDelegatorTx'::text, 'AddSubnetValidatorTx'::text, 'AddPermissionlessValidatorTx'::text, 'AddPermissionlessDelegatorTx'::text, 'AddAutoRenewedValidatorTx'::text]));
CREATE INDEX utxo_address_address_chain_height_ordinal_idx ON ONLY utxo_address USING btree (address, chain, height DESC, ordinal DESC) WHERE (consumed_height IS NULL);
CREATE INDEX utxo_address_address_consumed_height_idx ON ONLY utxo_address USING btree (address, consumed_height DESC) WHERE (consumed_height IS NOT NULL);
CREATE INDEX utxo_address_c_address_chain_height_ordinal_idx ON ONLY utxo_address_c USING btree (address, chain, height DESC, ordinal DESC) WHERE (consumed_height IS NULL);
CREATE INDEX utxo_address_c_address_consumed_height_idx ON ONLY utxo_address_c USING btree (address, consumed_height DESC) WHERE (consumed_height IS NOT NULL);
CREATE INDEX utxo_address_p_address_chain_height_ordinal_idx ON ONLY utxo_address_p USING btree (address, chain, height DESC, ordinal DESC) WHERE (consumed_height IS NULL);
CREATE INDEX utxo_address_p_address_consumed_height_idx ON ONLY utxo_address_p USING btree (address, consumed_height DESC) WHERE (consumed_height IS NOT NULL);
CREATE INDEX utxo_address_x_address_chain_height_ordinal_idx ON ONLY utxo_address_x USING btree (address, chain, height DESC, ordinal DESC) WHERE (consumed_height IS NULL);
CREATE INDEX utxo_address_x_address_consumed_height_idx ON ONLY utxo_address_x USING btree (address, consumed_height DESC) WHERE (consumed_height IS NOT NULL);
CREATE INDEX utxo_addresses_idx ON ONLY utxo USING gin (addresses) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_asset_id_consumed_height_idx ON ONLY utxo USING btree (asset_id, consumed_height) WHERE ((chain = 'X'::text) AND (consumed_height IS NOT NULL));
CREATE INDEX utxo_asset_id_idx ON ONLY utxo USING btree (asset_id) WHERE ((consumed_height IS NULL) AND ((locktime > (0)::numeric) OR (stakeable_locktime > (0)::numeric)));
CREATE INDEX utxo_c_addresses_idx ON ONLY utxo_c USING gin (addresses) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_c_asset_id_consumed_height_idx ON ONLY utxo_c USING btree (asset_id, consumed_height) WHERE ((chain = 'X'::text) AND (consumed_height IS NOT NULL));
CREATE INDEX utxo_c_asset_id_idx ON ONLY utxo_c USING btree (asset_id) WHERE ((consumed_height IS NULL) AND ((locktime > (0)::numeric) OR (stakeable_locktime > (0)::numeric)));
CREATE INDEX utxo_consumed_tx_id_idx ON ONLY utxo USING btree (consumed_tx_id) WHERE (consumed_tx_id IS NOT NULL);
CREATE INDEX utxo_c_consumed_tx_id_idx ON ONLY utxo_c USING btree (consumed_tx_id) WHERE (consumed_tx_id IS NOT NULL);
CREATE INDEX utxo_id_idx ON ONLY utxo USING btree (id);
CREATE INDEX utxo_c_id_idx ON ONLY utxo_c USING btree (id);
CREATE INDEX utxo_reward_tx_id_idx ON ONLY utxo USING btree (reward_tx_id) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_c_reward_tx_id_idx ON ONLY utxo_c USING btree (reward_tx_id) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_tx_id_idx ON ONLY utxo USING btree (tx_id);
CREATE INDEX utxo_c_tx_id_idx ON ONLY utxo_c USING btree (tx_id);
CREATE INDEX utxo_p_addresses_idx ON ONLY utxo_p USING gin (addresses) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_p_asset_id_consumed_height_idx ON ONLY utxo_p USING btree (asset_id, consumed_height) WHERE ((chain = 'X'::text) AND (consumed_height IS NOT NULL));
CREATE INDEX utxo_p_asset_id_idx ON ONLY utxo_p USING btree (asset_id) WHERE ((consumed_height IS NULL) AND ((locktime > (0)::numeric) OR (stakeable_locktime > (0)::numeric)));
CREATE INDEX utxo_p_consumed_tx_id_idx ON ONLY utxo_p USING btree (consumed_tx_id) WHERE (consumed_tx_id IS NOT NULL);
CREATE INDEX utxo_p_id_idx ON ONLY utxo_p USING btree (id);
CREATE INDEX utxo_p_reward_tx_id_idx ON ONLY utxo_p USING btree (reward_tx_id) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_p_tx_id_idx ON ONLY utxo_p USING btree (tx_id);
CREATE INDEX utxo_x_addresses_idx ON ONLY utxo_x USING gin (addresses) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_x_asset_id_consumed_height_idx ON ONLY utxo_x USING btree (asset_id, consumed_height) WHERE ((chain = 'X'::text) AND (consumed_height IS NOT NULL));
CREATE INDEX utxo_x_asset_id_height_idx ON ONLY utxo_x USING btree (asset_id, height);
CREATE INDEX utxo_x_asset_id_idx ON ONLY utxo_x USING btree (asset_id) WHERE ((consumed_height IS NULL) AND ((locktime > (0)::numeric) OR (stakeable_locktime > (0)::numeric)));
CREATE INDEX utxo_x_consumed_tx_id_idx ON ONLY utxo_x USING btree (consumed_tx_id) WHERE (consumed_tx_id IS NOT NULL);
CREATE INDEX utxo_x_id_idx ON ONLY utxo_x USING btree (id);
CREATE INDEX utxo_x_reward_tx_id_idx ON ONLY utxo_x USING btree (reward_tx_id) WHERE (reward_tx_id IS NOT NULL);
CREATE INDEX utxo_x_tx_id_idx ON ONLY utxo_x USING btree (tx_id);
CREATE INDEX vertex_height_position_idx ON vertex USING btree (height, "position");
CREATE INDEX vertex_id_idx ON vertex USING btree (id);
CREATE INDEX vertex_transaction_position_idx ON vertex_transaction USING btree ("position");
CREATE INDEX webhook_delivery_created_ms_idx ON webhook_delivery USING btree (created_ms) WHERE (state <> 'queued'::text);
CREATE INDEX webhook_delivery_source_event_sequence_event_position_idx ON webhook_delivery USING btree (source, event_sequence, event_position);
CREATE INDEX webhook_delivery_webhook_id_sequence_position_idx ON webhook_delivery USING btree (webhook_id, sequence, "position") WHERE (state = 'queued'::text);
CREATE INDEX webhook_event_created_ms_idx ON webhook_event USING btree (created_ms);
CREATE INDEX webhook_event_source_block_hash_idx ON webhook_event USING btree (source, block_hash);
CREATE INDEX webhook_owner_position_idx ON webhook USING btree (owner, "position");
CREATE INDEX webhook_queue_due_ms_idx ON webhook_queue USING btree (due_ms) WHERE (due_ms IS NOT NULL);
CREATE INDEX webhook_revision_idx ON webhook USING btree (revision);
ALTER INDEX block_container_id_idx ATTACH PARTITION block_c_container_id_idx;
ALTER INDEX block_id_idx ATTACH PARTITION block_c_id_idx;
ALTER INDEX block_pkey ATTACH PARTITION block_c_pkey;
ALTER INDEX block_time_height_idx ATTACH PARTITION block_c_time_height_idx;
ALTER INDEX block_container_id_idx ATTACH PARTITION block_p_container_id_idx;
ALTER INDEX block_id_idx ATTACH PARTITION block_p_id_idx;
ALTER INDEX block_pkey ATTACH PARTITION block_p_pkey;
ALTER INDEX block_time_height_idx ATTACH PARTITION block_p_time_height_idx;
ALTER INDEX block_container_id_idx ATTACH PARTITION block_x_container_id_idx;
ALTER INDEX block_id_idx ATTACH PARTITION block_x_id_idx;
ALTER INDEX block_pkey ATTACH PARTITION block_x_pkey;
ALTER INDEX block_time_height_idx ATTACH PARTITION block_x_time_height_idx;
ALTER INDEX transaction_address_address_name_height_position_idx ATTACH PARTITION transaction_address_c_address_name_height_position_idx;
ALTER INDEX transaction_address_pkey ATTACH PARTITION transaction_address_c_pkey;
ALTER INDEX transaction_address_address_name_height_position_idx ATTACH PARTITION transaction_address_p_address_name_height_position_idx;
ALTER INDEX transaction_address_pkey ATTACH PARTITION transaction_address_p_pkey;
ALTER INDEX transaction_address_address_name_height_position_idx ATTACH PARTITION transaction_address_x_address_name_height_position_idx;
ALTER INDEX transaction_address_pkey ATTACH PARTITION transaction_address_x_pkey;
ALTER INDEX transaction_id_idx ATTACH PARTITION transaction_c_id_idx;
ALTER INDEX transaction_name_height_position_idx ATTACH PARTITION transaction_c_name_height_position_idx;
ALTER INDEX transaction_pkey ATTACH PARTITION transaction_c_pkey;
ALTER INDEX transaction_id_idx ATTACH PARTITION transaction_p_id_idx;
ALTER INDEX transaction_name_height_position_idx ATTACH PARTITION transaction_p_name_height_position_idx;
ALTER INDEX transaction_pkey ATTACH PARTITION transaction_p_pkey;
ALTER INDEX transaction_id_idx ATTACH PARTITION transaction_x_id_idx;
ALTER INDEX transaction_name_height_position_idx ATTACH PARTITION transaction_x_name_height_position_idx;
ALTER INDEX transaction_pkey ATTACH PARTITION transaction_x_pkey;
ALTER INDEX utxo_address_address_chain_height_ordinal_idx ATTACH PARTITION utxo_address_c_address_chain_height_ordinal_idx;
ALTER INDEX utxo_address_address_consumed_height_idx ATTACH PARTITION utxo_address_c_address_consumed_height_idx;
ALTER INDEX utxo_address_pkey ATTACH PARTITION utxo_address_c_pkey;
ALTER INDEX utxo_address_address_chain_height_ordinal_idx ATTACH PARTITION utxo_address_p_address_chain_height_ordinal_idx;
ALTER INDEX utxo_address_address_consumed_height_idx ATTACH PARTITION utxo_address_p_address_consumed_height_idx;
ALTER INDEX utxo_address_pkey ATTACH PARTITION utxo_address_p_pkey;
ALTER INDEX utxo_address_address_chain_height_ordinal_idx ATTACH PARTITION utxo_address_x_address_chain_height_ordinal_idx;
ALTER INDEX utxo_address_address_consumed_height_idx ATTACH PARTITION utxo_address_x_address_consumed_height_idx;
ALTER INDEX utxo_address_pkey ATTACH PARTITION utxo_address_x_pkey;
ALTER INDEX utxo_addresses_idx ATTACH PARTITION utxo_c_addresses_idx;
ALTER INDEX utxo_asset_id_consumed_height_idx ATTACH PARTITION utxo_c_asset_id_consumed_height_idx;
ALTER INDEX utxo_asset_id_idx ATTACH PARTITION utxo_c_asset_id_idx;
ALTER INDEX utxo_consumed_tx_id_idx ATTACH PARTITION utxo_c_consumed_tx_id_idx;
ALTER INDEX utxo_id_idx ATTACH PARTITION utxo_c_id_idx;
ALTER INDEX utxo_pkey ATTACH PARTITION utxo_c_pkey;
ALTER INDEX utxo_reward_tx_id_idx ATTACH PARTITION utxo_c_reward_tx_id_idx;
ALTER INDEX utxo_tx_id_idx ATTACH PARTITION utxo_c_tx_id_idx;
ALTER INDEX utxo_addresses_idx ATTACH PARTITION utxo_p_addresses_idx;
ALTER INDEX utxo_asset_id_consumed_height_idx ATTACH PARTITION utxo_p_asset_id_consumed_height_idx;
ALTER INDEX utxo_asset_id_idx ATTACH PARTITION utxo_p_asset_id_idx;
ALTER INDEX utxo_consumed_tx_id_idx ATTACH PARTITION utxo_p_consumed_tx_id_idx;
ALTER INDEX utxo_id_idx ATTACH PARTITION utxo_p_id_idx;
ALTER INDEX utxo_pkey ATTACH PARTITION utxo_p_pkey;
ALTER INDEX utxo_reward_tx_id_idx ATTACH PARTITION utxo_p_reward_tx_id_idx;
ALTER INDEX utxo_tx_id_idx ATTACH PARTITION utxo_p_tx_id_idx;
ALTER INDEX utxo_addresses_idx ATTACH PARTITION utxo_x_addresses_idx;
ALTER INDEX utxo_asset_id_consumed_height_idx ATTACH PARTITION utxo_x_asset_id_consumed_height_idx;
ALTER INDEX utxo_asset_id_idx ATTACH PARTITION utxo_x_asset_id_idx;
ALTER INDEX utxo_consumed_tx_id_idx ATTACH PARTITION utxo_x_consumed_tx_id_idx;
ALTER INDEX utxo_id_idx ATTACH PARTITION utxo_x_id_idx;
ALTER INDEX utxo_pkey ATTACH PARTITION utxo_x_pkey;
ALTER INDEX utxo_reward_tx_id_idx ATTACH PARTITION utxo_x_reward_tx_id_idx;
ALTER INDEX utxo_tx_id_idx ATTACH PARTITION utxo_x_tx_id_idx;
