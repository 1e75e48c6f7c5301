create table event_table (name text primary key, definition text not null, from_height bigint not null, next_height bigint not null);
