alter table vertex add column accepted_at bigint;
alter table fetched_vertex add column accepted_at bigint;
