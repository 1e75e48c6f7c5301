create table job (id text primary key, owner text, caller text not null, task text not null,
    created_at timestamptz not null default clock_timestamp(), attempt int not null default 1, holder text not null,
    leased_until timestamptz not null, progress text, is_done boolean, body text, finished_at timestamptz);
create index on job (leased_until) where finished_at is null;
create index on job (finished_at) where finished_at is not null;
create table job_part (job_id text not null, sequence int not null, bytes bytea not null, size int not null, summary text,
    primary key (job_id, sequence));
