create table deferred_index (position int not null, indexed text not null, definition text not null, primary key (position));
