alter table bypass_token add column added_at timestamptz not null default clock_timestamp();
