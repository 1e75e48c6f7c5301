CREATE TABLE address_shard (
    address bytea NOT NULL
);
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
CREATE TABLE balance_reading (
    contract bytea NOT NULL,
    standard integer NOT NULL,
    token_id numeric NOT NULL,
    address bytea NOT NULL,
    height bigint NOT NULL,
    balance numeric NOT NULL
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
    chain_digest bytea NOT NULL,
    log_digest bytea,
    settled_height bigint,
    contracts integer DEFAULT 0 NOT NULL
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
    genesis_hash bytea,
    logs_from bigint,
    events_only boolean DEFAULT false NOT NULL
);
CREATE TABLE change (
    sequence bigint NOT NULL,
    height bigint NOT NULL,
    hash bytea NOT NULL,
    parent_hash bytea NOT NULL,
    "time" bigint NOT NULL,
    kind text NOT NULL,
    added bigint
);
CREATE TABLE check_result (
    kind text NOT NULL,
    finished_at bigint NOT NULL,
    milliseconds bigint NOT NULL,
    is_complete boolean NOT NULL,
    finding_count integer NOT NULL,
    findings text[] NOT NULL
);
CREATE TABLE checked_range (
    first bigint NOT NULL,
    last bigint NOT NULL
);
CREATE TABLE contract (
    address bytea NOT NULL,
    since bigint NOT NULL,
    standard integer NOT NULL,
    name bytea,
    symbol bytea,
    decimals integer,
    proxy text,
    implementation bytea,
    beacon bytea,
    values_are_ids boolean
);
CREATE TABLE contract_due (
    contract bytea NOT NULL,
    attempts integer NOT NULL,
    due bigint NOT NULL
);
CREATE TABLE contract_version (
    contract bytea NOT NULL,
    height bigint NOT NULL,
    standard integer NOT NULL,
    name bytea,
    symbol bytea,
    decimals integer,
    proxy text,
    implementation bytea,
    beacon bytea
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
    halted text,
    settled_height bigint
);
CREATE TABLE deferred_index (
    "position" integer NOT NULL,
    indexed text NOT NULL,
    definition text NOT NULL
);
CREATE TABLE event_table (
    name text NOT NULL,
    definition text NOT NULL,
    from_height bigint NOT NULL,
    next_height bigint NOT NULL
);
CREATE TABLE height_shard (
    height bigint NOT NULL
);
CREATE TABLE icm_count (
    period text NOT NULL,
    start bigint NOT NULL,
    is_sent boolean NOT NULL,
    source bytea NOT NULL,
    destination bytea NOT NULL,
    messages bigint NOT NULL
);
CREATE TABLE icm_event (
    height bigint NOT NULL,
    log_index bigint NOT NULL,
    transaction_index integer NOT NULL,
    transaction_hash bytea NOT NULL,
    gas_used numeric NOT NULL,
    "time" bigint NOT NULL,
    contract bytea NOT NULL,
    kind text NOT NULL,
    message_id bytea,
    source bytea,
    relayer bytea,
    fee_token bytea,
    fee_amount numeric,
    body bytea
);
CREATE TABLE icm_message (
    height bigint NOT NULL,
    log_index bigint NOT NULL,
    transaction_index integer NOT NULL,
    transaction_hash bytea NOT NULL,
    gas_used numeric NOT NULL,
    "time" bigint NOT NULL,
    contract bytea NOT NULL,
    is_sent boolean NOT NULL,
    message_id bytea NOT NULL,
    warp_id bytea,
    source bytea NOT NULL,
    destination bytea NOT NULL,
    nonce numeric NOT NULL,
    sender bytea NOT NULL,
    recipient bytea NOT NULL,
    relayer bytea,
    reward_redeemer bytea,
    fee_token bytea,
    fee_amount numeric,
    body bytea NOT NULL
);
CREATE TABLE icm_progress (
    from_height bigint NOT NULL,
    next_height bigint NOT NULL
);
CREATE TABLE image (
    hash bytea NOT NULL,
    content_type text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    size integer NOT NULL,
    stored_at bigint NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY image ALTER COLUMN bytes SET STORAGE EXTERNAL;
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
CREATE TABLE item_holder (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    address bytea NOT NULL,
    balance numeric NOT NULL
);
CREATE TABLE kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE last_activity (
    address bytea NOT NULL,
    last bigint,
    sender_last bigint,
    deployer_last bigint
)
WITH (fillfactor='70');
CREATE TABLE last_activity_count (
    period text NOT NULL,
    start bigint NOT NULL,
    addresses bigint NOT NULL,
    senders bigint NOT NULL,
    deployers bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE lease (
    holder text,
    expires_at timestamp with time zone
);
CREATE TABLE log (
    height bigint NOT NULL,
    log_index bigint NOT NULL,
    transaction_index integer NOT NULL,
    address bytea NOT NULL,
    topic0 bytea,
    topic1 bytea,
    topic2 bytea,
    topic3 bytea,
    data bytea NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE log_selection (
    topic0 bytea NOT NULL,
    address bytea NOT NULL,
    from_height bigint NOT NULL
);
CREATE TABLE log_transaction (
    height bigint NOT NULL,
    transaction_index integer NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE pruned (
    kind text NOT NULL,
    below bigint NOT NULL
);
CREATE TABLE pruned_activity (
    address bytea NOT NULL,
    last bigint,
    sender_last bigint,
    deployer_last bigint
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
CREATE TABLE sharding (
    shards integer NOT NULL,
    is_complete boolean NOT NULL
);
CREATE TABLE stale_digest (
    height bigint NOT NULL,
    before bytea NOT NULL
);
CREATE TABLE token (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    standard integer NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE token_airdrop (
    contract bytea NOT NULL,
    airdropped bigint NOT NULL,
    others bigint NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE token_balance (
    since bigint NOT NULL,
    standard integer NOT NULL,
    contract bytea NOT NULL,
    address bytea NOT NULL,
    token_id numeric NOT NULL,
    balance numeric NOT NULL,
    wrapped numeric DEFAULT 0 NOT NULL
);
CREATE TABLE token_check (
    contract bytea NOT NULL,
    since bigint NOT NULL,
    height bigint NOT NULL,
    basis text NOT NULL,
    class text NOT NULL,
    agreements integer NOT NULL,
    agreed_from bigint,
    checked_to bigint NOT NULL,
    due bigint
);
CREATE TABLE token_holder (
    since bigint NOT NULL,
    peak_since bigint,
    standard integer NOT NULL,
    contract bytea NOT NULL,
    address bytea NOT NULL,
    balance numeric NOT NULL,
    wrapped numeric DEFAULT 0 NOT NULL,
    peak numeric
);
CREATE TABLE token_image (
    contract bytea NOT NULL,
    token_id numeric NOT NULL,
    hash bytea,
    failure text,
    attempts integer NOT NULL,
    retry_at bigint
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
CREATE TABLE trace_gap (
    height bigint NOT NULL,
    hash bytea NOT NULL,
    attempts integer NOT NULL,
    due bigint NOT NULL,
    sequence bigint
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
CREATE TABLE unchecked_balance (
    contract bytea NOT NULL,
    standard integer NOT NULL,
    token_id numeric NOT NULL,
    address bytea NOT NULL,
    since bigint NOT NULL
);
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
CREATE TABLE wrapping (
    height bigint NOT NULL,
    log_index bigint NOT NULL,
    contract bytea NOT NULL,
    address bytea NOT NULL,
    amount numeric NOT NULL
)
PARTITION BY RANGE (height);
CREATE TABLE writer (
    fence bigint NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL
);
INSERT INTO kysely_migration VALUES ('0001_tables', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0002_services', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0003_lease', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0004_halts', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0005_added_at', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0006_logs', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0007_balance_checks', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0008_activity', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0009_holders', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0010_events', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0011_smaller_indexes', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0013_pruned', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0014_contracts_read_again', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0015_current_balances', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0018_settled', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0019_events_only', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0020_last_activity', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0021_sharding', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0022_proxies', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0023_pruned_deployers', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0024_deferred_indexes', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0025_webhooks', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0026_icm', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0027_check_results', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0028_item_holders', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0029_images', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0030_secret_encoding', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0031_trace_gap', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0032_created_contracts', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0033_stale_digest', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0034_traced_changes', '2026-11-28 15:04:42.978732+00');
INSERT INTO kysely_migration VALUES ('0035_values_are_ids', '2026-11-28 15:04:42.978732+00');
INSERT INTO lease VALUES (NULL, NULL);
INSERT INTO writer VALUES (0, 0);
ALTER TABLE ONLY address_shard
    ADD CONSTRAINT address_shard_pkey PRIMARY KEY (address);
ALTER TABLE ONLY api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY balance_reading
    ADD CONSTRAINT balance_reading_pkey PRIMARY KEY (address, standard, contract, token_id, height);
ALTER TABLE ONLY block
    ADD CONSTRAINT block_pkey PRIMARY KEY (height);
ALTER TABLE ONLY chain
    ADD CONSTRAINT chain_pkey PRIMARY KEY (chain_id);
ALTER TABLE ONLY change
    ADD CONSTRAINT change_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY check_result
    ADD CONSTRAINT check_result_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY checked_range
    ADD CONSTRAINT checked_range_pkey PRIMARY KEY (first);
ALTER TABLE ONLY contract_due
    ADD CONSTRAINT contract_due_pkey PRIMARY KEY (contract);
ALTER TABLE ONLY contract
    ADD CONSTRAINT contract_pkey PRIMARY KEY (address);
ALTER TABLE ONLY contract_version
    ADD CONSTRAINT contract_version_pkey PRIMARY KEY (contract, height);
ALTER TABLE ONLY creation
    ADD CONSTRAINT creation_pkey PRIMARY KEY (height, transaction_index, "position");
ALTER TABLE ONLY deferred_index
    ADD CONSTRAINT deferred_index_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY event_table
    ADD CONSTRAINT event_table_pkey PRIMARY KEY (name);
ALTER TABLE ONLY height_shard
    ADD CONSTRAINT height_shard_pkey PRIMARY KEY (height);
ALTER TABLE ONLY icm_count
    ADD CONSTRAINT icm_count_pkey PRIMARY KEY (period, is_sent, start, source, destination);
ALTER TABLE ONLY icm_event
    ADD CONSTRAINT icm_event_pkey PRIMARY KEY (height, log_index);
ALTER TABLE ONLY icm_message
    ADD CONSTRAINT icm_message_pkey PRIMARY KEY (height, log_index);
ALTER TABLE ONLY image
    ADD CONSTRAINT image_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY internal_call
    ADD CONSTRAINT internal_call_pkey PRIMARY KEY (height, transaction_index, "position");
ALTER TABLE ONLY item_holder
    ADD CONSTRAINT item_holder_pkey PRIMARY KEY (address, contract, token_id);
ALTER TABLE ONLY kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY last_activity_count
    ADD CONSTRAINT last_activity_count_pkey PRIMARY KEY (period, start);
ALTER TABLE ONLY last_activity
    ADD CONSTRAINT last_activity_pkey PRIMARY KEY (address);
ALTER TABLE ONLY log
    ADD CONSTRAINT log_pkey PRIMARY KEY (height, log_index);
ALTER TABLE ONLY log_selection
    ADD CONSTRAINT log_selection_pkey PRIMARY KEY (topic0, address);
ALTER TABLE ONLY log_transaction
    ADD CONSTRAINT log_transaction_pkey PRIMARY KEY (height, transaction_index);
ALTER TABLE ONLY pruned_activity
    ADD CONSTRAINT pruned_activity_pkey PRIMARY KEY (address);
ALTER TABLE ONLY pruned
    ADD CONSTRAINT pruned_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY rollup
    ADD CONSTRAINT rollup_pkey PRIMARY KEY (period, start);
ALTER TABLE ONLY secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY stale_digest
    ADD CONSTRAINT stale_digest_pkey PRIMARY KEY (height);
ALTER TABLE ONLY token_airdrop
    ADD CONSTRAINT token_airdrop_pkey PRIMARY KEY (contract);
ALTER TABLE ONLY token_balance
    ADD CONSTRAINT token_balance_pkey PRIMARY KEY (address, standard, contract, token_id, since);
ALTER TABLE ONLY token_check
    ADD CONSTRAINT token_check_pkey PRIMARY KEY (contract, since);
ALTER TABLE ONLY token_holder
    ADD CONSTRAINT token_holder_pkey PRIMARY KEY (standard, address, contract);
ALTER TABLE ONLY token_image
    ADD CONSTRAINT token_image_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY token_metadata
    ADD CONSTRAINT token_metadata_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY token_owner
    ADD CONSTRAINT token_owner_pkey PRIMARY KEY (contract, token_id, since);
ALTER TABLE ONLY token
    ADD CONSTRAINT token_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY token_unseen
    ADD CONSTRAINT token_unseen_pkey PRIMARY KEY (contract, token_id);
ALTER TABLE ONLY trace_gap
    ADD CONSTRAINT trace_gap_pkey PRIMARY KEY (height);
ALTER TABLE ONLY transaction
    ADD CONSTRAINT transaction_pkey PRIMARY KEY (height, transaction_index);
ALTER TABLE ONLY transfer
    ADD CONSTRAINT transfer_pkey PRIMARY KEY (height, log_index, "position");
ALTER TABLE ONLY unchecked_balance
    ADD CONSTRAINT unchecked_balance_pkey PRIMARY KEY (contract, standard, token_id, address);
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
ALTER TABLE ONLY wrapping
    ADD CONSTRAINT wrapping_pkey PRIMARY KEY (height, log_index);
CREATE INDEX balance_reading_contract_height_idx ON balance_reading USING btree (contract, height);
CREATE INDEX balance_reading_height_idx ON balance_reading USING btree (height);
CREATE INDEX block_hash_idx ON ONLY block USING btree (hash);
CREATE INDEX block_time_height_idx ON ONLY block USING btree ("time", height);
CREATE INDEX contract_address_idx ON contract USING btree (address) WHERE values_are_ids;
CREATE INDEX contract_beacon_idx ON contract USING btree (beacon) WHERE (beacon IS NOT NULL);
CREATE INDEX contract_due_due_idx ON contract_due USING btree (due);
CREATE INDEX contract_version_height_idx ON contract_version USING btree (height);
CREATE INDEX creation_contract_idx ON ONLY creation USING btree (contract);
CREATE INDEX creation_creator_height_idx ON ONLY creation USING btree (creator, height);
CREATE INDEX creation_deployer_height_transaction_index_position_idx ON ONLY creation USING btree (deployer, height, transaction_index, "position") WHERE succeeded;
CREATE INDEX icm_event_contract_relayer_fee_token_height_log_index_idx ON icm_event USING btree (contract, relayer, fee_token, height, log_index) WHERE (kind = 'redeemed'::text);
CREATE INDEX icm_event_message_id_kind_contract_height_log_index_idx ON icm_event USING btree (message_id, kind, contract, height, log_index) WHERE (message_id IS NOT NULL);
CREATE INDEX icm_message_is_sent_destination_time_height_log_index_idx ON icm_message USING btree (is_sent, destination, "time", height, log_index);
CREATE INDEX icm_message_is_sent_recipient_time_height_log_index_idx ON icm_message USING btree (is_sent, recipient, "time", height, log_index);
CREATE INDEX icm_message_is_sent_sender_time_height_log_index_idx ON icm_message USING btree (is_sent, sender, "time", height, log_index);
CREATE INDEX icm_message_is_sent_source_time_height_log_index_idx ON icm_message USING btree (is_sent, source, "time", height, log_index);
CREATE INDEX icm_message_is_sent_time_height_log_index_idx ON icm_message USING btree (is_sent, "time", height, log_index);
CREATE INDEX icm_message_message_id_idx ON icm_message USING btree (message_id);
CREATE INDEX icm_message_warp_id_idx ON icm_message USING btree (warp_id) WHERE (warp_id IS NOT NULL);
CREATE INDEX image_stored_at_hash_size_idx ON image USING btree (stored_at, hash, size);
CREATE INDEX internal_call_recipient_height_transaction_index_position_idx ON ONLY internal_call USING btree (recipient, height, transaction_index, "position");
CREATE INDEX internal_call_sender_height_transaction_index_position_idx ON ONLY internal_call USING btree (sender, height, transaction_index, "position");
CREATE INDEX item_holder_contract_token_id_expr_address_idx ON item_holder USING btree (contract, token_id, ((- balance)), address);
CREATE INDEX log_address_height_idx ON ONLY log USING btree (address, height);
CREATE INDEX log_substr_height_idx ON ONLY log USING btree (substr(topic1, 25), height) WHERE (topic1 IS NOT NULL);
CREATE INDEX log_substr_height_idx1 ON ONLY log USING btree (substr(topic2, 25), height) WHERE (topic2 IS NOT NULL);
CREATE INDEX log_substr_height_idx2 ON ONLY log USING btree (substr(topic3, 25), height) WHERE (topic3 IS NOT NULL);
CREATE INDEX log_topic0_height_idx ON ONLY log USING btree (topic0, height) WHERE (topic0 IS NOT NULL);
CREATE INDEX token_balance_contract_balance_idx ON token_balance USING btree (contract, balance) WHERE ((standard = 1155) OR (wrapped <> (0)::numeric));
CREATE INDEX token_check_due_idx ON token_check USING btree (due) WHERE (due IS NOT NULL);
CREATE INDEX token_check_height_idx ON token_check USING btree (height);
CREATE INDEX token_holder_standard_contract_expr_address_coalesce_idx ON token_holder USING btree (standard, contract, ((- balance)), address, COALESCE(peak, (0)::numeric));
CREATE INDEX token_holder_standard_contract_peak_idx ON token_holder USING btree (standard, contract, peak) WHERE (peak > balance);
CREATE INDEX token_image_hash_idx ON token_image USING btree (hash) WHERE (hash IS NOT NULL);
CREATE INDEX token_image_retry_at_idx ON token_image USING btree (retry_at) WHERE (retry_at IS NOT NULL);
CREATE INDEX token_metadata_retry_at_idx ON token_metadata USING btree (retry_at) WHERE (retry_at IS NOT NULL);
CREATE INDEX token_owner_owner_contract_token_id_idx ON token_owner USING btree (owner, contract, token_id) WHERE (until IS NULL);
CREATE INDEX token_owner_owner_until_idx ON token_owner USING btree (owner, until) WHERE (until IS NOT NULL);
CREATE INDEX token_unseen_since_contract_token_id_idx ON token_unseen USING btree (since, contract, token_id);
CREATE INDEX transaction_hash_idx ON ONLY transaction USING hash (hash);
CREATE INDEX transaction_height_transaction_index_idx ON ONLY transaction USING btree (height, transaction_index) WHERE (NOT succeeded);
CREATE INDEX transaction_recipient_height_transaction_index_idx ON ONLY transaction USING btree (recipient, height, transaction_index);
CREATE INDEX transaction_sender_height_transaction_index_idx ON ONLY transaction USING btree (sender, height, transaction_index);
CREATE INDEX transfer_contract_height_log_index_position_idx ON ONLY transfer USING btree (contract, height, log_index, "position");
CREATE INDEX transfer_contract_token_id_height_log_index_position_idx ON ONLY transfer USING btree (contract, token_id, height, log_index, "position") WHERE (token_id IS NOT NULL);
CREATE INDEX transfer_recipient_standard_height_log_index_position_idx ON ONLY transfer USING btree (recipient, standard, height, log_index, "position");
CREATE INDEX transfer_sender_standard_height_log_index_position_idx ON ONLY transfer USING btree (sender, standard, height, log_index, "position");
CREATE INDEX unchecked_balance_since_idx ON unchecked_balance USING btree (since);
CREATE INDEX webhook_delivery_created_ms_idx ON webhook_delivery USING btree (created_ms) WHERE (state <> 'queued'::text);
CREATE INDEX webhook_delivery_source_event_sequence_event_position_idx ON webhook_delivery USING btree (source, event_sequence, event_position);
CREATE INDEX webhook_delivery_webhook_id_sequence_position_idx ON webhook_delivery USING btree (webhook_id, sequence, "position") WHERE (state = 'queued'::text);
CREATE INDEX webhook_event_created_ms_idx ON webhook_event USING btree (created_ms);
CREATE INDEX webhook_event_source_block_hash_idx ON webhook_event USING btree (source, block_hash);
CREATE INDEX webhook_owner_position_idx ON webhook USING btree (owner, "position");
CREATE INDEX webhook_queue_due_ms_idx ON webhook_queue USING btree (due_ms) WHERE (due_ms IS NOT NULL);
CREATE INDEX webhook_revision_idx ON webhook USING btree (revision);
