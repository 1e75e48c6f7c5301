create table trace_gap (height bigint primary key, hash bytea not null, attempts int not null, due bigint not null);
