insert into stock (sku, pieces, delivered) select 'sneaker', 100, 100
	where not exists (select 1 from stock where sku = 'sneaker');
insert into stock (sku, pieces, delivered) select 'watch', 100, 100
	where not exists (select 1 from stock where sku = 'watch');
