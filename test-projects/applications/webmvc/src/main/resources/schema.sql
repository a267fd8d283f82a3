CREATE TABLE stock (sku VARCHAR(20) PRIMARY KEY, pieces INT NOT NULL, fence BIGINT NOT NULL DEFAULT 0);
INSERT INTO stock (sku, pieces) VALUES ('watch', 10);
