create table api_key (hash bytea primary key, hint text not null, name text not null, scopes text[] not null,
    units_per_minute int, units_per_day int, created_at bigint not null, revoked_at bigint);
create table secret (name text primary key, value bytea not null);
