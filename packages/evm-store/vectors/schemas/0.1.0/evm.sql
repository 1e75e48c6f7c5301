CREATE TABLE active_address (
    period text NOT NULL,
    start bigint NOT NULL,
    address bytea NOT NULL,
    since bigint,
    sender_since bigint,
    deployer_since bigint
)
WITH (fillfactor='80');
CREATE TABLE api_key (
    hash bytea NOT NULL,
    hint text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    units_per_minute integer,
    units_per_day integer,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE TABLE block (
    height bigint NOT NULL,
    hash bytea NOT NULL,
    parent_hash bytea NOT NULL,
    "time" bigint NOT NULL,
    time_milliseconds bigint,
    min_delay_excess bigint,
    base_fee numeric,
    gas_limit numeric NOT NULL,
    gas_used numeric NOT NULL,
    block_gas_cost numeric,
    transactions integer NOT NULL,
    cumulative_transactions bigint NOT NULL,
    gas_executed numeric NOT NULL,
    fees_spent numeric NOT NULL,
    gas_price_sum numeric NOT NULL,
    gas_price_max numeric,
    creations integer NOT NULL,
    digest bytea NOT NULL,
    chain_digest bytea NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE chain (
    chain_id numeric NOT NULL,
    name text NOT NULL,
    network text NOT NULL,
    blockchain_id bytea,
    subnet_id bytea,
    token_name text NOT NULL,
    token_symbol text NOT NULL,
    token_decimals integer NOT NULL,
    first_height bigint NOT NULL,
    has_traces boolean NOT NULL,
    genesis_hash bytea
);
CREATE TABLE change (
    sequence bigint NOT NULL,
    undone boolean NOT NULL,
    height bigint NOT NULL,
    hash bytea NOT NULL,
    parent_hash bytea NOT NULL,
    "time" bigint NOT NULL
);
CREATE TABLE contract (
    address bytea NOT NULL,
    since bigint NOT NULL,
    standard integer NOT NULL,
    name bytea,
    symbol bytea,
    decimals integer
);
CREATE TABLE creation (
    height bigint NOT NULL,
    transaction_index integer NOT NULL,
    "position" integer NOT NULL,
    opcode text NOT NULL,
    contract bytea,
    deployer bytea NOT NULL,
    creator bytea NOT NULL,
    succeeded boolean NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE cursor (
    height bigint NOT NULL,
    hash bytea NOT NULL,
    "time" bigint NOT NULL,
    sequence bigint NOT NULL,
    halted text
);
CREATE TABLE internal_call (
    height bigint NOT NULL,
    transaction_index integer NOT NULL,
    "position" integer NOT NULL,
    type text NOT NULL,
    sender bytea NOT NULL,
    recipient bytea,
    value numeric NOT NULL,
    gas numeric NOT NULL,
    gas_used numeric NOT NULL,
    succeeded boolean NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE lease (
    holder text,
    expires_at timestamp with time zone
);
CREATE TABLE rollup (
    period text NOT NULL,
    start bigint NOT NULL,
    blocks integer NOT NULL,
    transactions bigint NOT NULL,
    gas numeric NOT NULL,
    fees numeric NOT NULL,
    gas_price_sum numeric NOT NULL,
    gas_price_max numeric,
    creations bigint NOT NULL,
    addresses bigint NOT NULL,
    senders bigint NOT NULL,
    deployers bigint NOT NULL,
    new_addresses bigint NOT NULL,
    new_deployers bigint NOT NULL,
    last_milliseconds bigint NOT NULL,
    max_gas_per_second double precision NOT NULL,
    max_transactions_per_second double precision NOT NULL
);
CREATE TABLE secret (
    name text NOT NULL,
    value bytea NOT NULL
);
CREATE TABLE token (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    standard integer NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE token_balance (
    contract bytea NOT NULL,
    standard integer NOT NULL,
    token_id numeric NOT NULL,
    address bytea NOT NULL,
    since bigint NOT NULL,
    balance numeric NOT NULL
);
CREATE TABLE token_metadata (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    uri text NOT NULL,
    index_status text NOT NULL,
    checked_at bigint NOT NULL,
    attempts integer NOT NULL,
    retry_at bigint,
    metadata jsonb
);
CREATE TABLE token_owner (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    since bigint NOT NULL,
    until bigint,
    owner bytea NOT NULL
);
CREATE TABLE token_unseen (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    standard integer NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE transaction (
    height bigint NOT NULL,
    transaction_index integer NOT NULL,
    hash bytea NOT NULL,
    type integer NOT NULL,
    sender bytea NOT NULL,
    recipient bytea,
    created bytea,
    nonce numeric NOT NULL,
    value numeric NOT NULL,
    selector bytea NOT NULL,
    input bytea NOT NULL,
    max_fee_per_gas numeric,
    max_priority_fee_per_gas numeric,
    gas_limit numeric NOT NULL,
    gas_used numeric NOT NULL,
    gas_price numeric NOT NULL,
    succeeded boolean NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE transfer (
    height bigint NOT NULL,
    log_index bigint NOT NULL,
    "position" integer NOT NULL,
    transaction_index integer NOT NULL,
    standard integer NOT NULL,
    contract bytea NOT NULL,
    sender bytea NOT NULL,
    recipient bytea NOT NULL,
    token_id numeric,
    amount numeric NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE writer (
    fence bigint NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL
);
INSERT INTO kysely_migration VALUES ('0001_tables', '2026-11-22T07:33:32.803Z');
INSERT INTO kysely_migration VALUES ('0002_services', '2026-11-22T07:33:32.819Z');
INSERT INTO kysely_migration VALUES ('0003_lease', '2026-11-22T07:33:32.828Z');
INSERT INTO kysely_migration VALUES ('0004_halts', '2026-11-22T07:33:32.829Z');
INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO lease VALUES (NULL, NULL);
INSERT INTO writer VALUES (0, 0);
ALTER TABLE ONLY active_address
    ADD CONSTRAINT active_address_pkey PRIMARY KEY (period, start, address);
ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY block
    ADD CONSTRAINT block_pkey PRIMARY KEY (height);
ALTER TABLE ONLY chain
    ADD CONSTRAINT chain_pkey PRIMARY KEY (chain_id);
ALTER TABLE ONLY change
    ADD CONSTRAINT change_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY contract
    ADD CONSTRAINT contract_pkey PRIMARY KEY (address);
ALTER TABLE ONLY creation
    ADD CONSTRAINT creation_pkey PRIMARY KEY (height, transaction_index, "position");
ALTER TABLE ONLY internal_call
    ADD CONSTRAINT internal_call_pkey PRIMARY KEY (height, transaction_index, "position");
ALTER TABLE ONLY kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY rollup
    ADD CONSTRAINT rollup_pkey PRIMARY KEY (period, start);
ALTER TABLE ONLY secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY token_balance
    ADD CONSTRAINT token_balance_pkey PRIMARY KEY (address, standard, contract, token_id, since);
ALTER TABLE ONLY token_metadata
    ADD CONSTRAINT token_metadata_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY token_owner
    ADD CONSTRAINT token_owner_pkey PRIMARY KEY (contract, token_id, since);
ALTER TABLE ONLY token
    ADD CONSTRAINT token_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY token_unseen
    ADD CONSTRAINT token_unseen_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY transaction
    ADD CONSTRAINT transaction_pkey PRIMARY KEY (height, transaction_index);
ALTER TABLE ONLY transfer
    ADD CONSTRAINT transfer_pkey PRIMARY KEY (height, log_index, "position");
CREATE INDEX active_address_period_start_address_idx ON active_address USING btree (period, start, address) WHERE (deployer_since IS NOT NULL);
CREATE INDEX block_hash_idx ON ONLY block USING btree (hash);
CREATE INDEX block_time_height_idx ON ONLY block USING btree ("time", height);
CREATE INDEX creation_contract_idx ON ONLY creation USING btree (contract);
CREATE INDEX creation_deployer_height_transaction_index_position_idx ON ONLY creation USING btree (deployer, height, transaction_index, "position") WHERE succeeded;
CREATE INDEX internal_call_recipient_height_transaction_index_position_idx ON ONLY internal_call USING btree (recipient, height, transaction_index, "position");
CREATE INDEX internal_call_sender_height_transaction_index_position_idx ON ONLY internal_call USING btree (sender, height, transaction_index, "position");
CREATE INDEX token_balance_contract_balance_idx ON token_balance USING btree (contract, balance);
CREATE INDEX token_metadata_retry_at_idx ON token_metadata USING btree (retry_at) WHERE (retry_at IS NOT NULL);
CREATE INDEX token_owner_owner_contract_token_id_idx ON token_owner USING btree (owner, contract, token_id) WHERE (until IS NULL);
CREATE INDEX token_owner_owner_until_idx ON token_owner USING btree (owner, until) WHERE (until IS NOT NULL);
CREATE INDEX token_unseen_since_contract_token_id_idx ON token_unseen USING btree (since, contract, token_id);
CREATE INDEX transaction_hash_idx ON ONLY transaction USING btree (hash);
CREATE INDEX transaction_height_transaction_index_idx ON ONLY transaction USING btree (height, transaction_index) WHERE (NOT succeeded);
CREATE INDEX transaction_recipient_height_transaction_index_idx ON ONLY transaction USING btree (recipient, height, transaction_index);
CREATE INDEX transaction_sender_height_transaction_index_idx ON ONLY transaction USING btree (sender, height, transaction_index);
CREATE INDEX transfer_contract_height_log_index_position_idx ON ONLY transfer USING btree (contract, height, log_index, "position");
CREATE INDEX transfer_recipient_standard_height_log_index_position_idx ON ONLY transfer USING btree (recipient, standard, height, log_index, "position");
CREATE INDEX transfer_sender_standard_height_log_index_position_idx ON ONLY transfer USING btree (sender, standard, height, log_index, "position");
