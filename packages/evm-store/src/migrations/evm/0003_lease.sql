create table lease (holder text, expires_at timestamptz);
insert into lease values (null, null);
