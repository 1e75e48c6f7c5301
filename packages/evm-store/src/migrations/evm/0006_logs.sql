alter table chain add column logs_from bigint;
alter table block add column log_digest bytea;
create table log (height bigint not null, log_index bigint not null, transaction_index int not null, address bytea not null,
      topic0 bytea, topic1 bytea, topic2 bytea, topic3 bytea, data bytea not null,
      primary key (height, log_index)) partition by range (height);
create index on log (address, height);
create index on log (topic0, height) where topic0 is not null;
create index on log (substr(topic1, 25), height) where topic1 is not null;
create index on log (substr(topic2, 25), height) where topic2 is not null;
create index on log (substr(topic3, 25), height) where topic3 is not null;
