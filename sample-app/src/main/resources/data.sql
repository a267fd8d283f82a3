insert into stock (sku, pieces) select 'sneaker', 100 where not exists (select 1 from stock where sku = 'sneaker');
insert into stock (sku, pieces) select 'console', 50 where not exists (select 1 from stock where sku = 'console');
