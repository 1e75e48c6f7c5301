alter table block add settled_height bigint;
alter table cursor add settled_height bigint;
