alter table api_key add column added_at timestamptz not null default clock_timestamp();
