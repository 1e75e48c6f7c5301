create table stale_digest (height bigint primary key, before bytea not null);
