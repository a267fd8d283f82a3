-- Fits H2 and PostgreSQL.
create table if not exists stock (
	sku varchar(64) primary key,
	pieces integer not null,
	delivered integer not null,
	fence bigint default 0 not null -- the greatest fencing token that was used for the row
);
create table if not exists orders (
	id bigint generated always as identity primary key,
	sku varchar(64) not null,
	buyer varchar(200) not null,
	fence bigint not null
);
