create table usage (hour bigint not null, chain_id text not null, method text not null, status int not null,
    token text not null, milliseconds int not null, requests bigint not null, credits bigint not null,
    primary key (hour, chain_id, method, status, token, milliseconds));
create table usage_writer (id bytea primary key, sequence bigint not null);
create table usage_load (digest bytea primary key, lines bigint not null);
create table bypass_token (hash bytea primary key, hint text not null, name text not null, credits_per_second int,
    created_at bigint not null, revoked_at bigint);
create unique index on bypass_token (name) where revoked_at is null;
