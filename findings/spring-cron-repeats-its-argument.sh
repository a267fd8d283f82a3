#!/usr/bin/env bash
#
# Spring Framework 7.0.8: CronExpression.next(t) is "the next time after t", and where a clock is set back by
# half an hour (Australia/Lord_Howe, 5 April 2026, 02:00 to 01:30) it returns t itself. Who schedules the next run
# at next(t) runs in a circle, and a time that is derived as next(t) - t is zero.
#
# Seen: "2026-04-05T01:00+11:00[Australia/Lord_Howe] -> the same instant" for an hourly expression.
# Needs a JDK of at least 17 and Maven. Fails if Spring does otherwise.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.springframework</groupId>
			<artifactId>spring-context</artifactId>
			<version>7.0.8</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import org.springframework.scheduling.support.CronExpression;

public class Finding {

	public static void main(String[] args) {
		CronExpression hourly = CronExpression.parse("0 0 * * * *");
		ZonedDateTime time = ZonedDateTime.of(2026, 4, 4, 22, 0, 0, 0, ZoneId.of("Australia/Lord_Howe"));
		ZonedDateTime repeated = null;
		for (int i = 0; i < 6 * 60 && repeated == null; i++) {
			ZonedDateTime next = hourly.next(time);
			System.out.println(time + " -> " + next);
			repeated = next.isAfter(time) ? null : time;
			time = time.plus(Duration.ofMinutes(15));
		}
		System.out.println((repeated != null) ? "not after its argument: " + repeated : "always after its argument");
		System.exit((repeated != null) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
java -cp 'lib/*' Finding.java
