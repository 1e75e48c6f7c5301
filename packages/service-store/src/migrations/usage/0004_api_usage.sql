create table api_usage (key_id text not null, minute int8 not null, chain_id text not null, endpoint text not null, status int not null,
    milliseconds int not null, requests int8 not null, credits int8 not null,
    primary key (key_id, minute, chain_id, endpoint, status, milliseconds));
create index on api_usage (minute);
create table api_request (key_id text not null, time_ms int8 not null, id text not null, endpoint text not null, path text not null,
    chain_id text not null, status int not null, milliseconds int not null, credits int8 not null, address text not null,
    host text not null, user_agent text not null, primary key (key_id, time_ms, id));
create index on api_request (time_ms, id);
