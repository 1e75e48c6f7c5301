alter table change add column kind text not null default 'added';
update change set kind = 'undone' where undone;
alter table change alter column kind drop default;
alter table change drop column undone;
alter table change add column added bigint;
alter table trace_gap add column sequence bigint;
